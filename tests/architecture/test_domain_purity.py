"""The modules that an import of Watchword loads."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import watchword.domain

TECHNOLOGY = ["aiohttp", "asyncio", "eventsourcing", "passlib", "sqlalchemy", "sqlite3"]

EVERY_DOMAIN_MODULE = """
import importlib, pkgutil, watchword.domain
for module in pkgutil.walk_packages(watchword.domain.__path__, "watchword.domain."):
    importlib.import_module(module.name)
"""


def loaded_by(statements: str) -> list[str]:
    """Return the part of TECHNOLOGY that a fresh interpreter has loaded after the statements."""
    report = f"import json, sys; print(json.dumps([n for n in {TECHNOLOGY} if n in sys.modules]))"
    # -P keeps the working directory off the path, so that only the installed name is found.
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"{statements}\n{report}"],
        capture_output=True,
        check=True,
        text=True,
    )
    loaded: list[str] = json.loads(done.stdout)
    return loaded


def test_the_public_face_is_lazy() -> None:
    """Importing watchword loads no server, no store, no hashing and no event loop."""
    assert [] == loaded_by("import watchword")


def test_the_domain_is_importable_alone() -> None:
    """Importing watchword.domain loads no server, no store, no hashing and no event loop."""
    assert [] == loaded_by("import watchword.domain")


def test_no_module_of_the_domain_needs_technology() -> None:
    """Importing every module under watchword.domain loads none of it either."""
    assert [] == loaded_by(EVERY_DOMAIN_MODULE)


@pytest.mark.parametrize("name", TECHNOLOGY)
def test_loaded_technology_would_be_seen(name: str) -> None:
    """A module that is loaded is reported, so the tests above can fail."""
    assert name in loaded_by(f"import {name}")


CLOCKS = {"now", "today", "utcnow"}


def asked_clocks(source: str) -> set[str]:
    """Return the clocks of `datetime` and `date` that a module asks for the time."""
    return {
        node.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute) and node.attr in CLOCKS
    }


def test_the_domain_asks_no_clock() -> None:
    """Commands bring the time with them; import-linter keeps `time`, `random` and `os` out."""
    (folder,) = watchword.domain.__path__
    modules = [*Path(folder).rglob("*.py")]

    assert modules
    assert set() == {each.name for each in modules if asked_clocks(each.read_text())}


def test_an_asked_clock_would_be_seen() -> None:
    """A module that asks a clock is found, so the test above can fail."""
    assert {"now"} == asked_clocks("from datetime import UTC, datetime\nNOW = datetime.now(UTC)")
