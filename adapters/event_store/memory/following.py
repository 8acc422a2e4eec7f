"""The reads of followers of the log, and of what they write, in a store in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Any

from ....application.ports.event_store import Outline
from ....application.ports.listings import Sum, TooManyTotals, Totals
from ..batch.facts import Facts
from ..log.mapper import EventMapper
from ..log.stored_event import StoredEvent
from .rows import MemoryRows

# What is left at the position of a dropped event.
DROPPED = StoredEvent("", 0, "", b"")


def kept_positions(log: Sequence[StoredEvent], after: int, limit: int) -> list[int]:
    """Return the positions behind `after` whose events were not dropped, at most so many."""
    behind = range(max(after, 0) + 1, len(log) + 1)
    return list(islice((each for each in behind if log[each - 1] is not DROPPED), limit))


class MemoryFollowing(MemoryRows):
    """Reads the open lines of events, and sums over rows."""

    _facts: Facts
    _log: list[StoredEvent]
    _mapper: EventMapper
    _streams: dict[str, list[int]]

    async def read_outlines(
        self, after: int, limit: int, kinds: Collection[str]
    ) -> Sequence[Outline]:
        """Return the outlines of the events after a position."""
        topics = self._mapper.topics(kinds)
        return [self._outline(each, topics) for each in kept_positions(self._log, after, limit)]

    async def outlines_of(
        self, streams: Collection[str], until: int, kinds: Collection[str]
    ) -> Mapping[str, Sequence[Outline]]:
        """Return the outlines of the events of some streams up to a position."""
        topics = self._mapper.topics(kinds)
        return {
            stream: [
                self._outline(each, topics)
                for each in self._streams.get(stream, ())
                if each <= until and self._log[each - 1].topic in topics
            ]
            for stream in streams
        }

    async def totals(self, position: str, sums: Sequence[Sum[Any]], most: int) -> Totals:
        """Return sums over rows and a checkpoint's number."""
        found = [self._totals(each) for each in sums]
        if sum(map(len, found)) > most:
            raise TooManyTotals
        return Totals(self._facts.positions.get(position, 0), found)

    def _outline(self, position: int, topics: Collection[str]) -> Outline:
        stored = self._log[position - 1]
        if stored.topic not in topics:
            return Outline(position, str(stored.originator_id), stored.originator_version)
        return self._mapper.to_outline(stored, position)
