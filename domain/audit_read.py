"""A reader of the log: what one token read over HTTP, at most one event a minute (C-82, C-105)."""

from __future__ import annotations

from datetime import datetime, timedelta

from attrs import frozen

from .decider import Decider, Decision
from .event import Event

EVERY = timedelta(minutes=1)


@frozen(kw_only=True)
class AuditRead(Event):
    """
    A reader was shown histories over HTTP: the streams by their ids, and the log from `first` to `last`.

    `reads` counts the answers between `since` and `until`; `more_streams` were read beside those named. The
    end of a process may lose what was read in its last minute.
    """

    reader: str
    streams: tuple[str, ...] = ()
    more_streams: int = 0
    first: int | None = None
    last: int | None = None
    reads: int
    since: datetime
    until: datetime


@frozen(kw_only=True)
class Reader:
    """A reader of the log, and when the last reads were recorded."""

    reader: str
    recorded_at: datetime


def note_reads(reader: Reader | None, read: AuditRead) -> Decision:
    """Record what was read; within a minute of the last record, nothing is recorded yet."""
    if reader is not None and timedelta(0) <= read.at - reader.recorded_at < EVERY:
        return Decision()
    return Decision((read,))


def begin(event: AuditRead) -> Reader:
    """Return the state after the first event."""
    return Reader(reader=event.reader, recorded_at=event.at)


def evolve(state: Reader, event: AuditRead) -> Reader:
    """Apply a later event."""
    return Reader(reader=state.reader, recorded_at=event.at)


reader_decider: Decider[Reader] = Decider("reader", begin, (AuditRead,), evolve, (AuditRead,))
