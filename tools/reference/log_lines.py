"""docs/reference/log.md: every event that the log of a process can have, as the code logs it."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from attrs import Factory, define

from tools.reference.markdown import code, codes, page, prose, table

ROOT = Path(__file__).parents[2]
MEANINGS = Path(__file__).with_name("log_events.toml")
_LEVELS = ("debug", "info", "warning", "error", "exception", "critical")
_LOGGER = re.compile(r"_?(\w+_)?log")
# What stands in place of the parts of a name that are not known before it is logged.
_VALUES = {"outcome.status": ("rejected", "unknown")}
_HEAD = """\
The log goes to stderr, one line an event: JSON, or text in a terminal (`--log-format`). Every line has
`event`, `level`, `logger` and `timestamp`. A line about a request has `request_id`, the caller's
`X-Request-Id`. A line about an error has `error`, its kind, and `trace` or `places`, where it was raised.
No line has a code, a key, a whole destination, the path of a request, or the text of an error.

The store has a log of its own, of what happened to codes and messages: those are [events](events.md).
"""


@define
class Logged:
    """An event of the log: the levels at which it is logged, and the members of its lines."""

    levels: set[str] = Factory(set)
    members: dict[str, None] = Factory(dict)


def logged_events(source: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield name, level and members of every event that a module logs."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=called, args=[first, *_], keywords=keywords):
                members = [each.arg for each in keywords if each.arg]
                for level in _levels(called):
                    for event in _names(first):
                        yield event, "error" if level == "exception" else level, members
            case _:
                pass


def _levels(called: ast.expr) -> Iterator[str]:
    """Yield the levels at which a call logs; none if it is no call that logs."""
    match called:
        case ast.Attribute(value=ast.Name(id=name), attr=level) if _LOGGER.fullmatch(name):
            yield from {level} & {*_LEVELS}
        case ast.Attribute(value=ast.Call(func=ast.Name(id="logger")), attr=level):
            yield from {level} & {*_LEVELS}
        case ast.Attribute(value=ast.Name(id="self"), attr="_line_of"):
            # The lines that the log writes about itself.
            yield "warning"
        case ast.IfExp(body=body, orelse=orelse):
            yield from _levels(body)
            yield from _levels(orelse)
        case _:
            pass


def _names(node: ast.expr) -> Iterator[str]:
    """Yield the names that an expression can have."""
    match node:
        case ast.Constant(value=str(name)):
            yield name
        case ast.IfExp(body=body, orelse=orelse):
            yield from _names(body)
            yield from _names(orelse)
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), ast.FormattedValue(value=part)]):
            yield from (f"{start}{each}" for each in _VALUES[ast.unparse(part)])
        case _:
            raise ValueError(f"the name of an event cannot be read: {ast.unparse(node)}")


def logged() -> dict[str, Logged]:
    """Return all events by name."""
    found: dict[str, Logged] = {}
    for folder in ("adapters", "application", "entrypoints"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for name, level, members in logged_events(path.read_text()):
                event = found.setdefault(name, Logged())
                event.levels.add(level)
                event.members |= dict.fromkeys(members)
    return found


def meanings() -> dict[str, str]:
    """Return what each event means; it is written by hand, because a line of the log is short."""
    found: dict[str, str] = tomllib.loads(MEANINGS.read_text())
    return found


def log() -> str:
    """Return the page."""
    said = meanings()
    rows = [
        (
            code(name),
            " or ".join(sorted(event.levels, key=_LEVELS.index)),
            codes(each for each in event.members if each != "exc_info"),
            prose(said[name]),
        )
        for name, event in sorted(logged().items())
    ]
    columns = ("event", "level", "members", "meaning")
    return page("Log of a process", "the calls that log", _HEAD, table(columns, rows))
