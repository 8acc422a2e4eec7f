"""The CHANGELOG agrees with the code: events with versions, commands, options and routes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_type_hints

import pytest

from tests.entrypoints.cli.test_help import command_of, commands
from tests.entrypoints.openapi.described import Document
from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.entrypoints.embedding.service import Service

ROOT = Path(__file__).parents[2]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
QUOTED = re.findall(r"`([^`]+)`", " ".join(CHANGELOG.split()))
CALLS = [each.split()[1:] for each in QUOTED if each.startswith("watchword ")]


def _without_names(path: str) -> str:
    """Return a path with its parameters unnamed and without a query."""
    return re.sub(r"\{\w+\}", "{}", path.partition("?")[0])


def _has(kind: type, name: str, *deeper: str) -> bool:
    """Return whether a class has an attribute, and the attribute's class the one behind it."""
    if not deeper:
        return hasattr(kind, name)
    part = get_type_hints(kind).get(name)
    return part is not None and _has(part, *deeper)


def test_every_event_is_named_in_its_newest_version() -> None:
    """Auditors find each `Name/version` of the registry, and no other."""
    named = {(name, int(version)) for name, version in re.findall(r"`([A-Z]\w+)/(\d+)`", CHANGELOG)}

    assert set(EVENT_TYPES) == named


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_commands_exist(words: list[str]) -> None:
    """Each `watchword …` is a command or a group, and has the options that stand behind it."""
    path = [word for word in words if re.fullmatch(r"[a-z][a-z-]*", word)]
    options = {word for word in words if word.startswith("--")}

    assert options <= {option for each in command_of(*path).params for option in each.opts}


def test_options_and_variables_exist() -> None:
    """Each `--option` and each `WATCHWORD_…` belongs to some command."""
    known = {
        name
        for path in commands()
        for each in command_of(*path).params
        for name in (*each.opts, each.envvar)
    }
    named = {each.split()[0] for each in QUOTED if each.startswith("--")}

    assert named
    assert named | set(re.findall(r"\bWATCHWORD_[A-Z_]*[A-Z]\b", CHANGELOG)) <= known


def test_routes_exist() -> None:
    """Each `METHOD /path` is a described operation."""
    described = {
        (each.method.upper(), _without_names(each.path)) for each in Document.read().operations
    }
    named = {
        (method, _without_names(path))
        for each in QUOTED
        for method, path in re.findall(r"^(GET|POST|PUT|DELETE) (/\S+)$", each)
    }

    assert named
    assert set() == named - described


def test_calls_of_embedders_exist() -> None:
    """Each `service.…` is an attribute of the service or of one of its parts."""
    named = [
        each.partition("(")[0].split(".")[1:] for each in QUOTED if each.startswith("service.")
    ]

    assert named
    assert set() == {".".join(path) for path in named if not _has(Service, *path)}
