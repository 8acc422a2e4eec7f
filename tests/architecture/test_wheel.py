"""The wheel contains the whole package and nothing that only the checkout needs; the sdist has the rest."""

from __future__ import annotations

import subprocess
import sys
import tarfile
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
    assert "watchword/entrypoints/starters/starter_texts.toml" in names
    assert {"watchword"} == {each.partition("/")[0] for each in names}
    alone = {"__init__.py", "__main__.py", "client.py", "testing.py"}
    alone |= {"verify_evidence.py", "py.typed"}
    assert {*layers, *alone} == {each.split("/")[1] for each in names}


def test_the_sdist_has_the_examples(tmp_path: Path) -> None:
    """Also the package with a channel; the links under src are left out, as they are second copies."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(build, check=True, capture_output=True, cwd=ROOT)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        names = {each.partition("/")[2] for each in packed.getnames()}
    examples = {str(each.relative_to(ROOT)) for each in (ROOT / "examples").rglob("*.py")}

    assert examples
    assert {
        *examples,
        "examples/courier/pyproject.toml",
        "docs/how-to/adapters.md",
        "LICENSE",
    } <= names
    assert set() == {each for each in names if each.startswith("src/")}
