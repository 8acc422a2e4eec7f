"""The wheel contains the whole package, and no file that only the checkout needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]


def test_the_wheel_has_the_package_and_nothing_else(tmp_path: Path) -> None:
    """Every tracked file of the layers, the command line and the mark of types; no test, no tool."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, check=True, capture_output=True, cwd=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as packed:
        names = {each for each in packed.namelist() if ".dist-info/" not in each}
    layers = ("domain", "application", "adapters", "entrypoints")
    modules = {
        f"watchword/{path.relative_to(ROOT)}"
        for each in layers
        for path in (ROOT / each).rglob("*.py")
    }

    assert modules <= names
    assert "watchword/entrypoints/http/openapi.json" in names
    assert {"watchword"} == {each.partition("/")[0] for each in names}
    assert {*layers, "__init__.py", "__main__.py", "testing.py", "py.typed"} == {
        each.split("/")[1] for each in names
    }
