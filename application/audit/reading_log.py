"""Read the history: the events in order, and the state that they lead to (C-38)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from ..errors import StreamNotFoundError
from ..evidence.reading_evidence import ReadingEvidence
from ..journal import Journal
from ..ports.event_store import Recorded
from ..records import record_of
from .checking import STORE_ALONE, AuditInputs, Checked, Checking
from .cut import Cut
from .log_search import WHOLE_LOG, LogSearch

DEFAULT_EVENTS, MAX_EVENTS = 100, 1000
# No index finds events by their envelopes (D-149), so a search for rare ones must end early.
_MOST_PASSED_OVER = 10 * MAX_EVENTS


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

    async def events(self, after: int, limit: int, search: LogSearch = WHOLE_LOG) -> LogPage:
        """
        Return up to 1,000 events after a position, in commit order; of them, only those of a search.

        A page may be empty if no event of a long stretch matches; its position says where to
        continue.
        """
        wanted = min(max(limit, 1), MAX_EVENTS)
        if search.one_stream is not None:
            return await self._of_stream(search.one_stream, after, wanted, search)
        if not search.wants_all:
            return await self._found(after, wanted, search)
        read = await self._journal.read_log(after, wanted)
        return LogPage(read, read[-1].position if read else after)

    @property
    def evidence(self) -> ReadingEvidence:
        """What reads the log together with its evidence."""
        return ReadingEvidence(self._journal)

    async def _found(self, after: int, wanted: int, search: LogSearch) -> LogPage:
        found: list[Recorded] = []
        read_to = after
        while read_to - after < _MOST_PASSED_OVER:
            read = await self._journal.read_log(read_to, MAX_EVENTS)
            if not read:
                break
            read_to = read[-1].position
            found += filter(search.finds, read)
            if len(found) >= wanted:
                return LogPage(found[:wanted], found[wanted - 1].position)
        return LogPage(found, read_to)

    async def _of_stream(self, stream: str, after: int, wanted: int, search: LogSearch) -> LogPage:
        """Return a page of one stream, which an index finds, however long the log is."""
        # What is appended while the stream is read belongs to the next page.
        newest = await self._journal.newest()
        if newest <= after:
            return LogPage((), after)
        found = [
            each
            for each in await self._journal.read_stream(stream)
            if after < each.position <= newest and search.finds(each)
        ]
        if len(found) > wanted:
            return LogPage(found[:wanted], found[wanted - 1].position)
        return LogPage(found, newest)

    async def stream(self, stream: str, cut: Cut | None = None) -> Sequence[Recorded]:
        """Return one stream's events, as of a cut; raises `StreamNotFoundError` if there are none."""
        events = await self._journal.read_stream(stream)
        if cut is not None:
            events = [each for each in events if cut.has(each.position, each.event.at)]
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
        events = await self.stream(stream, None if at is None else Cut(at=at))
        decider = record_of(events[0].event).decider
        return Replay(decider.kind, events, decider.fold(each.event for each in events))
