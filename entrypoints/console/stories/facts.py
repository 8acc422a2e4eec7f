"""The members of an event or a record as rows of a label and a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from ....domain.event import Event
from ...wire.shown_events import shown_data

# Deeper members, and more of them, are for the API: a row of a table has to end.
_DEEPEST, _MOST, _LONGEST = 4, 60, 2_000
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
_PAGES = {"pin_": "verifications", "msg_": "messages"}
_ID = re.compile(r"(pin_|msg_)[A-Za-z0-9]{1,64}")


class Kind(StrEnum):
    """How a fact is shown."""

    TEXT = "text"
    TIME = "time"
    LINK = "link"


@frozen
class Fact:
    """One row: a label in words, and the text. A time has `at`; a link has the `path` of its page."""

    label: str
    text: str = field(repr=False)
    kind: Kind = Kind.TEXT
    at: datetime | None = None
    path: str | None = None


def facts_of_event(event: Event, *, mask: bool) -> tuple[Fact, ...]:
    """Return the facts of an event; secrets are `***`, and with `mask` personal members are masked."""
    return facts_of(shown_data(event, mask=mask))


def facts_of(plain: Any) -> tuple[Fact, ...]:
    """Return the facts of plain data in the wire's spelling; members without a value are left out."""
    found: list[Fact] = []
    for each in _facts(plain, ()):
        if len(found) == _MOST:
            found.append(Fact("…", "The rest is left out here. The API shows it."))
            break
        found.append(each)
    return tuple(found)


def words_of(name: str) -> str:
    """Return a member's name in words: `attemptsRemaining` reads `attempts remaining`."""
    parts = [each if each.isupper() else each.lower() for each in _WORDS.split(name) if each]
    return " ".join(parts)


def _facts(plain: Any, path: tuple[str, ...]) -> Iterator[Fact]:
    match plain:
        case None:
            return
        case dict() if len(path) < _DEEPEST:
            for name, value in plain.items():
                yield from _facts(value, (*path, words_of(str(name))))
        case list() if len(path) < _DEEPEST and any(isinstance(each, dict) for each in plain):
            for number, value in enumerate(plain, 1):
                yield from _facts(value, (*path, str(number)))
        case list() | dict() if not plain:
            return
        case _:
            yield _fact(path, _text(plain))


def _fact(path: tuple[str, ...], text: str) -> Fact:
    label = ", ".join(path)
    label = label[:1].upper() + label[1:]
    if _TIME.fullmatch(text):
        return Fact(label, text, Kind.TIME, at=datetime.fromisoformat(text))
    if _ID.fullmatch(text):
        return Fact(label, text, Kind.LINK, path=f"/{_PAGES[text[:4]]}/{text}")
    return Fact(label, text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def _text(plain: Any) -> str:
    match plain:
        case bool():
            return "yes" if plain else "no"
        case dict():
            return "; ".join(
                f"{words_of(str(name))}: {_text(each)}" for name, each in plain.items()
            )
        case list():
            return ", ".join(map(_text, plain))
        case _:
            return str(plain)
