"""`python verify_evidence.py` runs alone: without the service, its store, its packages and a network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cryptography
import pytest

from tests.evidence.golden_log import (
    ORIGIN,
    VERIFIERS,
    golden_log,
    head_of,
    lines_of,
    proofs_of,
    write,
)
from watchword import verify_evidence

LOG = golden_log(times=20)
KEYS = [argument for each in VERIFIERS for argument in ("--key", each.vkey)]
MEASURED = """
import resource, subprocess, sys
subprocess.run([sys.executable, "verify_evidence.py", *sys.argv[1:]], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an environment that has `cryptography` alone, and a copy of the module."""
    folder = tmp_path_factory.mktemp("auditor")
    make = [sys.executable, "-m", "venv", "--without-pip", str(folder / "env")]
    subprocess.run(make, check=True)
    (packages,) = folder.glob("env/lib/python*/site-packages")
    installed = Path(cryptography.__file__).parents[1]
    for each in installed.iterdir():
        if each.name.split(".")[0] in ("cryptography", "cffi", "_cffi_backend", "pycparser"):
            (packages / each.name).symlink_to(each)
    shutil.copy(str(verify_evidence.__file__), folder / "verify_evidence.py")
    write(lines_of(LOG), folder / "log.jsonl")
    (folder / "head").write_bytes(head_of(LOG).encode())
    (folder / "proofs").mkdir()
    proofs_of(LOG[:90], folder / "proofs")
    return folder


def run(
    folder: Path, *arguments: str, script: str = "verify_evidence.py"
) -> subprocess.CompletedProcess[str]:
    """Run the module in its environment, with nothing of this one."""
    command = [str(folder / "env" / "bin" / "python"), script, *arguments]
    return subprocess.run(
        command, cwd=folder, env={"PATH": os.defpath}, capture_output=True, text=True, check=False
    )


def test_a_folder_of_proofs_holds(alone: Path) -> None:
    """It prints every event that is proven, the head with its time, and exits 0."""
    done = run(alone, "proofs", *KEYS)

    assert ("", 0) == (done.stderr, done.returncode)
    assert "golden 7 at position 7:" in done.stdout
    assert f"Head: {ORIGIN}, size 90, of 2031-05-04T12:00:00+00:00." in done.stdout
    assert done.stdout.endswith("All of it holds.\n")


def test_an_export_holds(alone: Path) -> None:
    """A long one, which several processes read."""
    done = run(alone, "--export", "log.jsonl", "--head", "head", *KEYS)

    assert ("", 0) == (done.stderr, done.returncode)
    assert f"{len(LOG)} events stand in log.jsonl; 0 of them were dropped." in done.stdout


def test_a_finding_exits_1(alone: Path) -> None:
    """As text it is a line, as JSON it has position, kind and detail."""
    lines = (alone / "log.jsonl").read_bytes().split(b"\n")
    (alone / "cut.jsonl").write_bytes(b"\n".join([*lines[:40], *lines[42:]]))
    asked = ("--export", "cut.jsonl", "--head", "head", *KEYS)
    told, plain = run(alone, *asked), run(alone, *asked, "--json")

    assert (1, 1) == (told.returncode, plain.returncode)
    assert told.stdout.endswith("Finding: gap at 41 to 42: This is missing.\n1 finding.\n")
    report = json.loads(plain.stdout)
    assert [{"position": 41, "to": 42, "kind": "gap", "detail": "This is missing."}] == report[
        "findings"
    ]
    assert (ORIGIN, len(LOG)) == (report["covered"]["origin"], report["covered"]["size"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("proofs", "--key", "garden"),
        ("missing", *KEYS),
        ("--export", "missing", "--head", "head", *KEYS),
        ("--export", "log.jsonl", "--head", "missing", *KEYS),
        ("--export", "log.jsonl", "--head", "log.jsonl", *KEYS),
        ("--export", "log.jsonl", "--head", "head", *KEYS[2:]),
    ],
)
def test_what_cannot_be_read_exits_1(alone: Path, arguments: tuple[str, ...]) -> None:
    """A sentence says what, as any finding."""
    done = run(alone, *arguments)

    assert (1, "") == (done.returncode, done.stderr)
    assert done.stdout.startswith("Finding: unreadable: ")


@pytest.mark.parametrize(
    "arguments",
    [(), ("proofs",), KEYS, ("proofs", "--head", "head", *KEYS), ("--export", "log.jsonl", *KEYS)],
)
def test_half_a_question_is_told_how_to_ask(alone: Path, arguments: tuple[str, ...]) -> None:
    """No exit status of a check."""
    done = run(alone, *arguments)

    assert 2 == done.returncode
    assert "usage:" in done.stderr


def test_one_key_may_have_several_lines(alone: Path) -> None:
    """So that the output of `watchword audit key` is an argument as it is."""
    keys = "\n".join(each.vkey for each in VERIFIERS)

    assert 0 == run(alone, "proofs", "--key", keys).returncode


def test_keys_may_stand_in_a_file(alone: Path) -> None:
    """The file that the operator handed over is named as `watchword audit verify` is given it."""
    (alone / "log.keys").write_text("".join(f"{each.vkey}\n" for each in VERIFIERS))
    done = run(alone, "proofs", "--key", "log.keys")

    assert 0 == done.returncode
    assert "size 90, of 2031-05-04T12:00:00" in done.stdout


def test_an_export_takes_little_memory(alone: Path) -> None:
    """No process of the check grows with the export (`WATCHWORD_TEST_EXPORTED`, in 90 events)."""
    log = golden_log(times=int(os.environ.get("WATCHWORD_TEST_EXPORTED", "60")))
    write(lines_of(log), alone / "long.jsonl")
    (alone / "long.head").write_bytes(head_of(log).encode())
    (alone / "measured.py").write_text(MEASURED)
    asked = ["--export", "long.jsonl", "--head", "long.head", *KEYS]
    # In between, because a process counts the memory of the one that it was forked from.
    done = run(alone, *asked, script="measured.py")

    assert ("", 0) == (done.stderr, done.returncode)
    # Of the largest process, in KiB: Linux counts so.
    assert 50_000 > int(done.stdout.splitlines()[-1])
