"""The page for operators names every event that the log of a process can have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_LEVELS = ("debug", "info", "warning", "error", "exception", "critical")
_LOGGER = re.compile(r"_?(\w+_)?log")


def logged_events(source: str) -> Iterator[str]:
    """Yield the events that a module logs by name."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr=level),
                args=[ast.Constant(value=str(event)), *_],
            ) if level in _LEVELS and _LOGGER.fullmatch(name):
                yield event


def test_every_event_of_the_log_is_in_the_page_for_operators() -> None:
    """An operator who alerts on events, and a maintainer who renames one, finds them all there."""
    described = (
        (ROOT / "docs" / "how-to" / "operating.md")
        .read_text()
        .partition("The log's events are:")[2]
    )
    named = set(re.findall(r"`(\w+)`", described.partition("\n\n")[0]))
    logged = {
        event
        for folder in ("adapters", "application", "entrypoints")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for event in logged_events(path.read_text())
    }

    assert set() == logged - named


def test_an_event_is_found_whatever_the_logger_is_called() -> None:
    """Loggers are module-level names that end in `log`; other calls are no events."""
    source = '_log.info("a")\n_dispatch_log.warning("b", x=1)\nlog.error("c")\nmath.log("d")\n'

    assert ["a", "b", "c"] == list(logged_events(source))
