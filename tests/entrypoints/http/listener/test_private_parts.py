"""The listener touches private parts of aiohttp, so aiohttp's minor version is pinned (D-184)."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.http import RawRequestMessage

import watchword

ROOT = Path(__file__).parents[4]
HTTP = Path(watchword.__file__).parent / "entrypoints" / "http"
# The private parts that each file of the listener touches, and their class. A release that renames one
# breaks the file quietly: most are used only if a client is slow, hostile or gone.
TOUCHED: Mapping[str, Mapping[str, type]] = {
    "connections.py": {
        "_current_request": web.RequestHandler,
        "_keepalive": web.RequestHandler,
        "_messages": web.RequestHandler,
        "_reading_paused": web.RequestHandler,
        "_request_count": web.RequestHandler,
        "_waiter": web.RequestHandler,
    },
    "fast_router.py": {"_match_info": web.Request},
    "incoming_requests.py": {"_protocol": web.BaseRequest, "_replace": RawRequestMessage},
}
# Methods of aiohttp that the listener's classes replace.
REPLACED = {"_finish": web.BaseRequest, "resume_reading": web.RequestHandler}


def has(kind: type, name: str) -> bool:
    """Return whether a class of aiohttp has an attribute, a slot or a method of a name."""
    return hasattr(kind, name) or name in getattr(kind, "ATTRS", ())


def private_parts(source: str) -> set[str]:
    """Return the private attributes that a module touches and does not define itself."""
    touched, own = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name("self"), attr=name, ctx=ast.Store()):
                own.add(name)
            case ast.Attribute(attr=name) if re.match("_[a-z]", name):
                touched.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                own.add(name)
            case ast.AnnAssign(target=ast.Name(name)):
                own.add(name)
    return touched - own


def test_private_parts_are_touched_in_the_listener_alone() -> None:
    """Each file of the listener touches what the table says; no other file of `http/` touches any."""
    found = {
        path: parts for path in HTTP.rglob("*.py") if (parts := private_parts(path.read_text()))
    }

    assert {HTTP / "listener" / name: {*parts} for name, parts in TOUCHED.items()} == found


@pytest.mark.parametrize(
    ("name", "kind"), [*REPLACED.items(), *(each for of in TOUCHED.values() for each in of.items())]
)
def test_the_installed_aiohttp_has_the_private_parts(name: str, kind: type) -> None:
    """A release without one of them fails here, and not on a connection that is cut off."""
    assert has(kind, name)


def test_the_minor_version_is_pinned() -> None:
    """A minor release may move private parts, so each is tried with these tests before it is allowed."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (aiohttp,) = (each for each in needed if each.startswith("aiohttp"))
    found = re.fullmatch(r"aiohttp>=(\d+)\.(\d+)(?:\.\d+)?,<(\d+)\.(\d+)", aiohttp)

    assert found is not None
    major, minor, next_major, next_minor = map(int, found.groups())
    assert (major, minor + 1) == (next_major, next_minor)
