"""What needs programs of others is run by CI, where these can be installed (D-570)."""

from __future__ import annotations

import re

from tests.deploy.deployed import ROOT

SCRIPT = (ROOT / ".ci" / "image").read_text()


def test_each_file_is_run_by_the_script() -> None:
    """A file with tests and another name than `test_` is one that the script names, and make runs."""
    theirs = {
        each.stem
        for each in (ROOT / "tests" / "deploy").glob("*.py")
        if not each.stem.startswith("test_")
        and re.search(r"^(async )?def test_", each.read_text(), re.MULTILINE)
    }
    (made,) = re.findall(r"^DEPLOYED \?= (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)

    assert theirs == set(made.split()) == set(re.findall(r"deployed\+=\((\w+)\)", SCRIPT))
    assert theirs == set(re.findall(r"not_run (\w+) ", SCRIPT))


def test_the_run_of_ci_has_the_script() -> None:
    """It comes after the tests, and only if its own limit fits into the time of CI."""
    assert "in_time image 1200" in (ROOT / ".ci" / "run").read_text().splitlines()
    assert "timeout 1200 make image" in SCRIPT


def test_litestream_has_its_hash() -> None:
    """For each kind of processor that its wheels are for."""
    lock = (ROOT / "tests" / "deploy" / "litestream.lock").read_text()

    assert 2 == len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", lock))
