"""Reads the open lines of events from a SQL store: for followers that open nothing (D-405)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from ....application.ports.event_store import Outline
from ..log.mapper import EventMapper
from ..log.stored_event import StoredEvent
from .people_reads import PeopleReads


class OutlineReads(PeopleReads):
    """Reads the table `stored_events` without keys. The state of an unwanted event stays in the store."""

    _mapper: EventMapper

    async def read_outlines(
        self, after: int, limit: int, kinds: Collection[str]
    ) -> Sequence[Outline]:
        """Return the outlines after a position, in commit order."""
        return await self._readers.run(self._outlines_after, max(after, 0), limit, kinds)

    async def outlines_of(
        self, streams: Collection[str], until: int, kinds: Collection[str]
    ) -> Mapping[str, Sequence[Outline]]:
        """Return the outlines of some streams up to a position, by stream."""
        found: defaultdict[str, list[Outline]] = defaultdict(list)
        if streams:
            for each in await self._readers.run(self._outlines_of, streams, until, kinds):
                found[each.stream].append(each)
        return found

    def _outlines_after(self, after: int, limit: int, kinds: Collection[str]) -> list[Outline]:
        position, items = self._dialect.position, self._dialect.items
        rows = self._fetch(
            f"SELECT {position}, originator_id, originator_version, topic,"
            f" CASE WHEN topic IN ({items}) THEN state END"
            f" FROM stored_events WHERE {position} > ? ORDER BY {position} LIMIT ?",
            (self._dialect.pack(self._mapper.topics(kinds)), after, limit),
        )
        return [
            Outline(place, stream, version)
            if state is None
            else self._mapper.to_outline(StoredEvent(stream, version, topic, state), place)
            for place, stream, version, topic, state in rows
        ]

    def _outlines_of(
        self, streams: Collection[str], until: int, kinds: Collection[str]
    ) -> list[Outline]:
        position, items = self._dialect.position, self._dialect.items
        rows = self._fetch(
            f"SELECT {position}, originator_id, originator_version, topic, state"
            f" FROM stored_events WHERE originator_id IN ({items}) AND {position} <= ?"
            " ORDER BY originator_id, originator_version",
            (self._dialect.pack(streams), until),
        )
        topics = set(self._mapper.topics(kinds))
        return [
            self._mapper.to_outline(StoredEvent(stream, version, topic, state), place)
            for place, stream, version, topic, state in rows
            if topic in topics
        ]
