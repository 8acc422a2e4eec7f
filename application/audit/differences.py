"""The differences between the log and the kept data: in streams, rows and held subjects."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

import attrs
from attrs import field, frozen

from ...domain.event import ERASED, MASK, Event, personal_fields, secret_fields
from ..ports.snapshot import KeptRow
from ..records.read_model import Row, personal_members


class Kind(StrEnum):
    """The kind of a difference (C-91)."""

    DAMAGE = "damage"
    SCHEMA = "schema"
    MARK = "mark"
    ORDER = "order"
    TIME = "time"
    FORM = "form"
    LIFE = "life"
    ROW = "row"
    HOLDER = "holder"
    CONSENT = "consent"
    USE = "use"
    DUE = "due"
    SEAL = "seal"
    ANSWER = "answer"
    DELIVERY = "delivery"
    FILE = "file"
    PERSON = "person"
    STATISTICS = "statistics"
    TALLY = "tally"


@frozen(kw_only=True)
class Difference:
    """
    One difference between the log and the kept data: its kind, its record and its field.

    `position` is its place in the log, if it has one. `expected` and `found` are plain values. Personal
    and secret values are shown as `***` (D-29).
    """

    position: int | None = None
    kind: Kind
    what: str
    id: str
    field: str = ""
    expected: Any
    found: Any


@frozen(kw_only=True)
class HolderDifference(Difference):
    """A subject that has a wrong holder, or lacks its holder; `subject` is as the store has it."""

    subject: str = field(repr=False)


def event_differences(event: Event, expected: Event) -> Iterator[tuple[str, Any, Any]]:
    """Yield the fields in which two events of one class differ, with both values."""
    veiled = {*personal_fields(type(event)), *secret_fields(type(event))}
    for each in attrs.fields(type(event)):
        wanted, has = getattr(expected, each.name), getattr(event, each.name)
        if wanted != has:
            shown = each.name not in veiled and _is_plain(wanted) and _is_plain(has)
            yield each.name, wanted if shown else MASK, has if shown else MASK


def row_differences(
    kind: type[Row], stream: str, expected: Row | None, found: Sequence[KeptRow[Any]]
) -> Iterator[Difference]:
    """Compare the row that a stream should have, if any, with the rows found under its key."""
    kept = found[0].row if found else None
    if expected is not None and kept is not None:
        shown = _opened if found[0].is_open else _closed
        for each in attrs.fields(kind):
            wanted, has = shown(expected, kept, each.name)
            if wanted != has:
                yield Difference(
                    kind=Kind.ROW,
                    what=kind.__name__,
                    id=stream,
                    field=each.name,
                    expected=wanted if each.repr else MASK,
                    found=has if each.repr else MASK,
                )
    elif expected is not None or found:
        yield Difference(
            kind=Kind.ROW,
            what=kind.__name__,
            id=stream,
            expected="a row" if expected is not None else "no row",
            found=("a row" if kept is not None else "an unreadable row") if found else "no row",
        )


def _opened(expected: Row, kept: Row, field: str) -> tuple[Any, Any]:
    return getattr(expected, field), getattr(kept, field)


def _closed(expected: Row, kept: Row, field: str) -> tuple[Any, Any]:
    """
    Return what is to be compared of a field without the key of what is sealed in it.

    Neither the event nor the row shows what is sealed, but both show whether its person was erased. A tag
    or a reference follows from a sealed mapping, so nobody knows whether the row should have one.
    """
    wanted, has = _opened(expected, kept, field)
    if field in personal_fields(type(expected)):
        return (_veil(wanted), _veil(has)) if wanted and has else (None, None)
    for name, inner in personal_members(type(expected)):
        if name == field:
            return _without(wanted, inner), _without(has, inner)
    return wanted, has


def _veil(value: Any) -> str:
    gone = value == ERASED or (isinstance(value, Mapping | tuple) and ERASED in value)
    return ERASED if gone else MASK


def _without(entries: Sequence[Mapping[str, Any]], inner: Collection[str]) -> list[dict[str, Any]]:
    return [{key: entry[key] for key in entry if key not in inner} for entry in entries]


def holder_difference(holder: str, subject: str, *, held: bool) -> Difference:
    """Return the difference of a subject that has a wrong holder, or lacks its holder."""
    # A subject may contain a destination or a hash after its kind.
    return HolderDifference(
        kind=Kind.HOLDER,
        what="Holder",
        id=holder,
        subject=subject,
        field=subject.partition(":")[0],
        expected="not held" if held else "held",
        found="held" if held else "not held",
    )


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | datetime)
