"""Projects of their own that have the wheel installed, and nothing of this checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
SETTINGS = """
[pytest]
asyncio_default_fixture_loop_scope = function
filterwarnings =
    error
    ignore:'crypt' is deprecated:DeprecationWarning
    ignore:Accessing argon2.__version__ is deprecated:DeprecationWarning
"""


class Project:
    """A folder with tests, and an environment with the wheel and what its extra `testing` requires."""

    def __init__(self, folder: Path, python: Path) -> None:
        self._folder = folder
        self._python = python

    def run(self, files: Mapping[str, str], *options: str) -> tuple[int, str]:
        """Run pytest on these files alone; return its status and what it printed."""
        for old in self._folder.glob("*.py"):
            old.unlink()
        for name, text in {"pytest.ini": SETTINGS, **files}.items():
            (self._folder / name).write_text(text)
        kept = ("PATH", "HOME", "LANG", "TMPDIR")
        done = subprocess.run(
            [self._python, "-m", "pytest", "-p", "no:cacheprovider", *options],
            cwd=self._folder,
            env={name: os.environ[name] for name in kept if name in os.environ},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


def required_by(name: str, extras: frozenset[str]) -> Iterator[Distribution]:
    """Yield what a distribution requires with these extras, and what that requires, from here."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(name, extras)]
    while waiting:
        known = waiting.pop()
        if known in seen:
            continue
        seen.add(known)
        found = distribution(known[0])
        yield found
        for each in map(Requirement, found.requires or ()):
            markers = [{"extra": extra} for extra in ("", *known[1])]
            if each.marker is None or any(map(each.marker.evaluate, markers)):
                waiting.append((each.name, frozenset(each.extras)))


def project_in(place: Path) -> Project:
    """Build the wheel, and install it without a network beside what it requires, and beside anyio."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(build, check=True, capture_output=True, cwd=ROOT)
    (wheel,) = place.glob("*.whl")
    environment = place / "venv"
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    site = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    here = Path(sysconfig.get_path("purelib"))
    needed = [*required_by("watchword", frozenset({"testing"})), *required_by("anyio", frozenset())]
    for each in needed:
        if each.name == "watchword":
            continue
        for top in {Path(str(file)).parts[0] for file in each.files or ()} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(here / top)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    install = [*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    subprocess.run([*pip, "check"], check=True, capture_output=True)
    folder = place / "tests"
    folder.mkdir()
    return Project(folder, python)


def passed(answer: tuple[int, str]) -> int:
    """Return how many tests passed in a run in which none failed and nothing was warned of."""
    status, said = answer
    found = re.search(r"=+ (\d+) passed in ", said)

    assert 0 == status, said
    assert found is not None, said
    return int(found[1])
