"""Events of the log as lines of a file, which a later export can go on with (C-82)."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from typing import NamedTuple, Protocol

import msgspec

from ...wire.codec import encode
from ..service.records import Record
from .csv_cells import lines

COLUMNS = (
    "position",
    "eventId",
    "streamId",
    "version",
    "type",
    "schema",
    "occurredAt",
    "actor",
    "requestId",
    "person",
    "data",
)


class LastEvent(NamedTuple):
    """The last event of a file: its position in the log, and its id unless retention dropped the event."""

    position: int
    event_id: str | None


class EventLines(Protocol):
    """A form of a file of events."""

    @property
    def heading(self) -> bytes:
        """The first line of a file; nothing if it has none."""
        ...

    @property
    def plain_heading(self) -> bytes:
        """The same for a pipe, without the mark by which spreadsheets know UTF-8."""
        ...

    def lines(self, events: Iterable[Record]) -> bytes:
        """Return events as lines, each with its end."""
        ...

    def read(self, line: bytes) -> LastEvent:
        """Read the event of a line of such a file; raises `ValueError` for a line of another form."""
        ...


class JsonLines:
    """JSON Lines; with `evidence`, each has what proves it."""

    heading = plain_heading = b""

    def __init__(self, *, evidence: bool = False) -> None:
        self._evidence = evidence

    def lines(self, events: Iterable[Record]) -> bytes:
        """Return events as lines."""
        return b"".join(encode(each) + b"\n" for each in events)

    def read(self, line: bytes) -> LastEvent:
        """Read the event of a line."""
        event = msgspec.json.decode(line, type=_Line)
        if (event.evidence is not None) != self._evidence:
            raise ValueError("with evidence, or without")
        if event.event_id is None and "leaf" not in (event.evidence or {}):
            raise ValueError("no event")
        return LastEvent(event.position, event.event_id)


class CsvLines:
    """Lines of RFC 4180 for spreadsheets, under a heading; `data` is JSON."""

    plain_heading = lines([COLUMNS])
    heading = codecs.BOM_UTF8 + plain_heading

    def lines(self, events: Iterable[Record]) -> bytes:
        """Return events as lines."""
        return lines(map(_row, events))

    def read(self, line: bytes) -> LastEvent:
        """Read the event of a line: no cell before the data has a quotation mark or a line's end."""
        position, event_id, *_ = line.decode().split(",", 2)
        return LastEvent(int(position), event_id)


class _Line(msgspec.Struct, rename="camel"):
    position: int
    event_id: str | None = None
    evidence: dict[str, str] | None = None


def _row(event: Record) -> list[object]:
    plain = [event.get(name) for name in COLUMNS[:-1]]
    return [*plain, encode(event["data"]).decode()]
