"""The page about Django: its files make a project, whose views its last program calls."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "django.md"
# The blocks of python; the block of text shows what the last one prints.
_PROGRAMS = re.compile(r"```python\n(.*?)```", re.DOTALL)
_PRINTED = re.compile(r"```text\n(.*?)```", re.DOTALL)
_FILE = re.compile(r"# (\w+)\.py\n")


def test_the_project_of_the_page_answers(tmp_path: Path) -> None:
    """A view that is synchronous and one that is not use one service, and refusals are answers."""
    *files, program = _PROGRAMS.findall(PAGE.read_text())
    (printed,) = _PRINTED.findall(PAGE.read_text())
    for each in files:
        name = _FILE.match(each)
        assert name is not None
        (tmp_path / f"{name[1]}.py").write_text(each)
    (tmp_path / "program.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "program.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=60,
    )

    assert (0, printed) == (done.returncode, done.stdout), done.stderr
    assert "Traceback" not in done.stderr
