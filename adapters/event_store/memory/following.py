"""The reads of followers of the log, and of what they write, in a store in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ....application.ports.event_store import Outline
from ....application.ports.listings import Sum, TooManyTotals, Totals
from ..batch.facts import Facts
from ..log.mapper import EventMapper
from ..log.stored_event import StoredEvent
from .rows import MemoryRows


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
        start = max(after, 0)
        positions = range(start + 1, min(start + limit, len(self._log)) + 1)
        return [self._outline(each, self._mapper.topics(kinds)) for each in positions]

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
