"""The Python of the documents, and the examples: type-checked as an embedder's code is, and run (D-563)."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Django has no types, which strict checkers ask for: tests/docs/test_django.py runs that page.
WITHOUT_TYPES = {ROOT / "docs" / "how-to" / "django.md"}
DOCUMENTS = [
    ROOT / "README.md",
    *sorted(set((ROOT / "docs").rglob("*.md")) - WITHOUT_TYPES),
]
_BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)
# The first line of a block that is a file of this name, for the blocks that follow it.
_FILE = re.compile(r"# (\w+)\.py\n")


def snippets(documents: Sequence[Path] = tuple(DOCUMENTS)) -> dict[str, tuple[str, str]]:
    """
    Return each block by a name: the program, and the output below it.

    A program is named after its page and folders: two pages may have one name. Raise `ValueError` if two
    blocks are files of one name, because all files stand in one folder.
    """
    named: dict[str, tuple[str, str]] = {}
    for document in documents:
        for number, (program, printed) in enumerate(_BLOCK.findall(document.read_text()), 1):
            name = _name(program) or f"{_stem(document)}_{number}"
            if name in named:
                raise ValueError(f"{document}: another block is already called {name}")
            named[name] = program, printed
    return named


def _stem(document: Path) -> str:
    """Return the path of a page as a name that a module can have."""
    path = (
        str(document.relative_to(ROOT).with_suffix(""))
        if document.is_relative_to(ROOT)
        else document.stem
    )
    return re.sub(r"\W", "_", path.removeprefix("docs/").lower())


def _name(program: str) -> str | None:
    file = _FILE.match(program)
    return file and file[1]


def _programs() -> list[str]:
    """Return the names of the blocks that are programs, and no files for others."""
    return [name for name, (program, _) in snippets().items() if _name(program) is None]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write all blocks and the examples into a folder of an embedder's."""
    folder = tmp_path_factory.mktemp("embedder")
    for name, (program, _) in snippets().items():
        (folder / f"{name}.py").write_text(program)
    for example in (ROOT / "examples").rglob("*.py"):
        shutil.copy(example, folder)
    return folder


def checked(*command: str) -> str:
    """Run a type checker, and return its complaints."""
    run = [sys.executable, "-m", *command]
    done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=ROOT)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_there_are_snippets() -> None:
    """The README has one, and the page for embedders one for each thing that it shows."""
    names = set(snippets())

    assert "readme_1" in names
    assert 6 <= len([each for each in names if each.startswith("how_to_embedding")])


def test_no_block_takes_the_place_of_another(tmp_path: Path) -> None:
    """Pages of one name in two folders have programs of their own; two files of one name are refused."""
    (tmp_path / "a.md").write_text("```python\n# shop.py\n1\n```\n\n```python\n2\n```\n")
    (tmp_path / "b.md").write_text("```python\n# shop.py\n3\n```\n")
    names = [_stem(ROOT / "docs" / each / "fallback.md") for each in ("tutorials", "how-to")]

    assert ["tutorials_fallback", "how_to_fallback"] == names
    assert {"shop", "a_2"} == snippets([tmp_path / "a.md"]).keys()
    with pytest.raises(ValueError, match="already called shop"):
        snippets([tmp_path / "a.md", tmp_path / "b.md"])


def test_snippets_and_examples_pass_mypy(written: Path) -> None:
    """Strictly, with the project's own settings and so with its cache."""
    files = sorted(map(str, written.glob("*.py")))

    assert "" == checked("mypy", "--strict", *files)


def test_a_misspelt_name_does_not_pass_mypy(tmp_path: Path) -> None:
    """Names are loaded when they are first used, and a type checker still knows which there are."""
    program = tmp_path / "misspelt.py"
    program.write_text("import watchword\n\nprint(watchword.__version__, watchword.Acepted)\n")

    assert '"Acepted"' in checked("mypy", "--strict", str(program))


def test_snippets_and_examples_pass_pyright(written: Path) -> None:
    """In strict mode, on the installed packages, as in an editor."""
    settings = {"include": ["."], "typeCheckingMode": "strict", "pythonVersion": "3.11"}
    (written / "pyrightconfig.json").write_text(json.dumps(settings))

    assert "" == checked("pyright", "--project", str(written), "--pythonpath", sys.executable)


@pytest.mark.parametrize("name", _programs())
def test_a_snippet_prints_what_follows_it(
    name: str, written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each runs unchanged on a store in memory; output that is not shown may be anything."""
    monkeypatch.syspath_prepend(written)
    program, expected = snippets()[name]
    file = tmp_path / f"{name}.py"
    file.write_text(program)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(file), run_name="__main__")

    assert printed.getvalue()
    assert not expected or expected == printed.getvalue()


def test_tests_of_the_documents_pass(written: Path) -> None:
    """The tests that docs/how-to/adapters.md shows, on the adapters that it shows."""
    adapters = snippets([ROOT / "docs" / "how-to" / "adapters.md"])
    tests = [f"{name}.py" for name in adapters if name.startswith("test_")]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            *tests,
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=written,
    )
    passed = re.search(r"(\d+) passed", done.stdout)

    assert 0 == done.returncode, done.stdout
    assert passed is not None
    assert 20 <= int(passed[1])


def test_the_package_of_the_documents_is_found(written: Path, tmp_path: Path) -> None:
    """The pyproject.toml in the guide to adapters, beside all files that it names, installs a plugin."""
    (project,) = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs" / "how-to" / "adapters.md").read_text(), re.S
    )
    package, site = tmp_path / "package", tmp_path / "site"
    package.mkdir()
    (package / "pyproject.toml").write_text(project)
    files = [name for name, (program, _) in snippets().items() if _name(program)]
    for name in files:
        shutil.copy(written / f"{name}.py", package)
    assert {"spool", "test_spool", "test_cuts"} <= {*files}
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    install = [sys.executable, "-m", "pip", "install", "--quiet", *offline, "--target", str(site)]
    subprocess.run([*install, str(package)], check=True, capture_output=True)
    program = (
        "from watchword.entrypoints.providers.plugins import load_plugins; print(*load_plugins())"
    )
    found = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "spool" == found.stdout.strip()
