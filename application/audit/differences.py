"""The differences between the log and the kept data: in streams, rows and held subjects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

import attrs
from attrs import frozen

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
        # Without a key, neither the event nor the row shows what is sealed, but both show that it is.
        compared = _values if found[0].is_open else _closed_values
        for each in attrs.fields(kind):
            wanted, has = compared(expected, each.name), compared(kept, each.name)
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


def _values(row: Row, field: str) -> Any:
    return getattr(row, field)


def _closed_values(row: Row, field: str) -> Any:
    """Return what is not sealed of a field; of a sealed one, whether it has a value that lives."""
    if field in personal_fields(type(row)):
        value = getattr(row, field)
        if value is None:
            return None
        return (
            ERASED if value == ERASED or (isinstance(value, Mapping) and ERASED in value) else MASK
        )
    for name, inner in personal_members(type(row)):
        if name == field:
            entries = getattr(row, field)
            return [{key: entry[key] for key in entry if key not in inner} for entry in entries]
    return getattr(row, field)


def holder_difference(holder: str, subject: str, *, held: bool) -> Difference:
    """Return the difference of a subject that has a wrong holder, or lacks its holder."""
    # A subject may contain a destination or a hash after its kind.
    return Difference(
        kind=Kind.HOLDER,
        what="Holder",
        id=holder,
        field=subject.partition(":")[0],
        expected="not held" if held else "held",
        found="held" if held else "not held",
    )


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | datetime)
