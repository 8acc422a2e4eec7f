"""systemd itself reads the unit of `deploy/`, and judges it; `.ci/image` runs this."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.deploy.deployed import DEPLOY, guide

UNIT = (DEPLOY / "watchword.service").read_text()
PAGE = guide("install.md")


def analyzed(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze, which needs no running systemd for these commands."""
    return subprocess.run(
        ["systemd-analyze", *arguments],  # noqa: S607  Debian's, wherever it is
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Write the unit with programs that are there: one is verified before anything is installed."""
    text = UNIT
    for program in set(re.findall(r"^ExecStart(?:Post)?=(\S+)", UNIT, re.MULTILINE)):
        text = text.replace(program, "/bin/true")
    file = tmp_path / "watchword.service"
    file.write_text(text)
    return file


def test_systemd_understands_each_line(unit: Path) -> None:
    """Of a name that it does not know or a value that it cannot read it says so, and goes on."""
    verified = analyzed("verify", "--man=no", "--recursive-errors=no", unit)
    unit.write_text(unit.read_text().replace("TimeoutStopSec=60", "TimeoutStopSecs=60"))
    misspelt = analyzed("verify", "--man=no", "--recursive-errors=no", unit)

    assert (0, "", "") == (verified.returncode, verified.stdout, verified.stderr)
    assert "TimeoutStopSecs" in misspelt.stderr


def test_little_is_exposed(unit: Path) -> None:
    """About what the guide says, as versions of systemd differ; a unit that bounds nothing has 9.6."""
    (said,) = re.findall(r"`systemd-analyze security` check the unit \((\d\.\d), OK\)", PAGE)
    judged = analyzed("security", "--offline=true", "--no-pager", unit)
    (exposure, word) = re.findall(r"exposure level for \S+: (\d+\.\d) (\w+)", judged.stdout)[0]

    assert "OK" == word, judged.stdout
    assert abs(float(said) - float(exposure)) <= 0.2, judged.stdout
