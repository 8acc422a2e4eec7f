"""The names of `import watchword`: every one that an embedder needs, and none is loaded before its use."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

import watchword
from watchword.domain.errors import DomainError

HEAVY = ("aiohttp", "asyncio", "sqlite3", "eventsourcing", "passlib", "sqlalchemy", "cattrs")


def printed(program: str) -> str:
    """Return the output of a program in its own interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def refusals(kind: type[DomainError] = DomainError) -> Iterator[type[DomainError]]:
    """Return all refusals of the domain and of the use cases."""
    yield kind
    for each in kind.__subclasses__():
        if not each.__module__.startswith("watchword.entrypoints"):
            yield from refusals(each)


def test_every_refusal_is_exported() -> None:
    """Every refusal of a call can be caught by a name of the package itself."""
    for layer in ("domain", "application"):
        package = import_module(f"watchword.{layer}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)

    assert set() == {each.__name__ for each in refusals()} - set(watchword.__all__)


@pytest.mark.parametrize("name", watchword.__all__)
def test_a_public_name_is_there(name: str) -> None:
    """It can be looked up, and carries the name that it is found under."""
    found = getattr(watchword, name)

    assert name in {getattr(found, "__name__", name).rpartition(".")[2], name}


def test_type_checkers_see_the_names_that_there_are() -> None:
    """The block `TYPE_CHECKING` has the names of the table, from the same modules."""
    tree = ast.parse(Path(watchword.__file__).read_text())
    (checked,) = (
        each for each in tree.body if isinstance(each, ast.If) and isinstance(each.test, ast.Name)
    )
    seen = {
        (alias.asname, f".{each.module or ''}")
        for each in checked.body
        if isinstance(each, ast.ImportFrom)
        for alias in each.names
    }

    assert seen == {*watchword._HOMES.items(), ("domain", ".")}


def test_completion_lists_the_public_names() -> None:
    """`dir(watchword)` has each name before it was used, and nothing of how they are found."""
    listed = printed("import watchword; print(*dir(watchword))").split()

    assert {*watchword.__all__, "__version__"} <= set(listed)
    assert [] == [each for each in listed if each.startswith("_") and not each.startswith("__")]


def test_the_release_can_be_asked_for() -> None:
    """`__version__` is the installed version."""
    assert version("watchword") == watchword.__version__


def test_there_is_nothing_else() -> None:
    """A misspelt name is an AttributeError, as of any module."""
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        watchword.opne  # type: ignore[attr-defined]  # noqa: B018  the look-up is what is tried


@pytest.mark.parametrize(
    "used", ["__doc__", "__version__", "DomainError", "PinIncorrectError", "domain.pin.Pin"]
)
def test_names_of_the_domain_load_no_server(used: str) -> None:
    """The import, and a refusal that a handler names, load neither loop nor database."""
    begin = "import watchword.domain.pin" if used.startswith("domain") else "import watchword"
    names = printed(
        f"import sys; {begin}; watchword.{used};"
        f" print(*(name for name in {HEAVY} if name in sys.modules))"
    )

    assert "" == names


def test_the_package_runs_as_the_command_line() -> None:
    """`python -m watchword` is `watchword`, and calls itself so."""
    run = [sys.executable, "-m", "watchword"]
    shown = subprocess.run([*run, "--help"], check=True, capture_output=True, text=True).stdout
    told = subprocess.run([*run, "--version"], check=True, capture_output=True, text=True).stdout

    assert shown.startswith("Usage: watchword [OPTIONS]")
    assert f"watchword, version {watchword.__version__}" == told.strip()
