"""Use cases return views: no row of a read model is in anything that they return (D-181)."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

import watchword
from watchword.application.journal import Journal
from watchword.application.ports.event_store import EventStore
from watchword.application.records.fallback_run import StepLine
from watchword.application.records.message import HistoryLine
from watchword.application.records.read_model import Row
from watchword.entrypoints.wired import Wired

ROOT = Path(watchword.__file__).parent
ROW = re.compile(r"\b(?:[A-Z]\w*Row|HistoryLine|StepLine)\b")
STORED = (Row, HistoryLine, StepLine)
# The ways to the store itself, which only use cases may take.
NOT_USE_CASES = (Journal, EventStore)


def use_cases() -> Iterator[type]:
    """Find the classes that entrypoints hold."""
    for kind in typing.get_type_hints(Wired).values():
        for each in (typing.get_origin(kind) or kind, *typing.get_args(kind)):
            if inspect.isclass(each) and each.__module__.startswith("watchword.application"):
                yield each


def returned(use_case: type) -> Iterator[tuple[str, Any]]:
    """Name the public methods of a use case, and the types that they return."""
    for name, method in inspect.getmembers(use_case, inspect.isfunction):
        if not name.startswith("_"):
            yield f"{use_case.__name__}.{name}", typing.get_type_hints(method).get("return")


def stored_in(kind: Any, met: frozenset[Any] = frozenset()) -> set[str]:
    """Name what is stored and stands in a type, however deep."""
    if kind in met:
        return set()
    if inspect.isclass(kind) and issubclass(kind, STORED):
        return {kind.__name__}
    inside = [*typing.get_args(kind)]
    whole = typing.get_origin(kind) or kind
    if attrs.has(whole):
        inside += [each.type for each in attrs.fields(attrs.resolve_types(whole))]
    return {name for each in inside for name in stored_in(each, met | {kind})}


def test_no_use_case_returns_a_row() -> None:
    """No row is returned, bare or inside a page or another value."""
    found = {
        name: stored
        for use_case in use_cases()
        if use_case not in NOT_USE_CASES
        for name, kind in returned(use_case)
        if (stored := stored_in(kind))
    }

    assert {} == found


def test_no_entrypoint_names_a_row() -> None:
    """Code that parses, calls and presents does not need rows; a client has those of WhatsApp's lists."""
    client = ROOT / "entrypoints" / "client"
    found = {
        str(path.relative_to(ROOT)): named
        for path in (ROOT / "entrypoints").rglob("*.py")
        if not path.is_relative_to(client) and (named := ROW.findall(path.read_text()))
    }

    assert {} == found


def test_views_stand_in_the_file_of_their_area() -> None:
    """Each area defines its views in `views.py`."""
    homes = {
        path.name
        for path in (ROOT / "application").rglob("*.py")
        if re.search(r"^class \w+View\b", path.read_text(), re.MULTILINE)
    }

    assert {"views.py"} == homes


def test_a_row_would_be_found() -> None:
    """The journal returns rows, also in pages, so that the tests above can fail."""

    @attrs.frozen
    class Page:
        rows: tuple[Row, ...]

    assert {"Row"} == stored_in(Page)
    assert {"Row"} == stored_in(list[Page | None])
    assert ["AccountRow"] == ROW.findall("from .rows import AccountRow")
    assert {"SearchingVerifications", "ManagingAccounts"} <= {each.__name__ for each in use_cases()}
