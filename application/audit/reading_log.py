"""Read the history: the events in order, and the state that they lead to (C-38)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from ...domain.errors import NotFoundError, camel
from ..journal import Journal
from ..ports.event_store import Recorded
from ..records import record_of
from .checking import STORE_ALONE, AuditInputs, Checked, Checking

DEFAULT_EVENTS, MAX_EVENTS = 100, 1000
# Events have no index by name (D-149), so a search over rare names must end early.
_MOST_PASSED_OVER = 10 * MAX_EVENTS


class StreamNotFoundError(NotFoundError):
    """No stream has this id."""

    code = "stream_not_found"

    def __init__(self) -> None:
        super().__init__(f"No stream has this id. A PIN's stream is its {camel('pin_id')}.")


@frozen
class Replay:
    """A stream's events up to a time, the kind of aggregate, and the state rebuilt from them."""

    kind: str
    events: Sequence[Recorded]
    state: Any


@frozen
class LogPage:
    """Events of the log, and the position after which the next page begins. The position stays at the end."""

    events: Sequence[Recorded]
    next: int


class ReadingLog:
    """Reads the log; writes nothing."""

    def __init__(self, journal: Journal, inputs: AuditInputs = STORE_ALONE) -> None:
        self._journal = journal
        self._inputs = inputs

    async def events(self, after: int, limit: int, names: Collection[str] = ()) -> LogPage:
        """
        Return up to 1,000 events after a position, in commit order; with `names`, only those.

        A page may be empty if no event of a long stretch matches; its position says where to
        continue.
        """
        wanted = min(max(limit, 1), MAX_EVENTS)
        if names:
            return await self._named(after, wanted, names)
        read = await self._journal.read_log(after, wanted)
        return LogPage(read, read[-1].position if read else after)

    async def _named(self, after: int, wanted: int, names: Collection[str]) -> LogPage:
        found: list[Recorded] = []
        read_to = after
        while read_to - after < _MOST_PASSED_OVER:
            read = await self._journal.read_log(read_to, MAX_EVENTS)
            if not read:
                break
            read_to = read[-1].position
            found += (each for each in read if each.type in names)
            if len(found) >= wanted:
                return LogPage(found[:wanted], found[wanted - 1].position)
        return LogPage(found, read_to)

    async def stream(self, stream: str) -> Sequence[Recorded]:
        """Return one stream's events; raises `StreamNotFoundError`."""
        events = await self._journal.read_stream(stream)
        if not events:
            raise StreamNotFoundError
        return events

    async def check(
        self, progress: Callable[[int, int], None] | None = None, limit: int | None = None
    ) -> Checked:
        """Repeat all decisions and compare the results with the kept data; report to `progress`."""
        return await Checking(self._journal, self._inputs).check(progress, limit)

    async def replay(self, stream: str, at: datetime | None = None) -> Replay:
        """Rebuild an aggregate from its events, as of a time; raises `StreamNotFoundError`."""
        events = [each for each in await self.stream(stream) if at is None or each.event.at <= at]
        if not events:
            raise StreamNotFoundError
        decider = record_of(events[0].event).decider
        return Replay(decider.kind, events, decider.fold(each.event for each in events))
