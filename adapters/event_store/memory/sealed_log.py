"""The sealed log of a store in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from attrs import define, evolve, field

from ....application.evidence.leaves import event_leaf
from ....application.evidence.tree import TileKey, edge_tiles, extended
from ....application.ports.sealed_log import Head, KeptTile, RawEvent
from ..log.stored_event import StoredEvent
from .following import kept_positions

# As long as in the other stores.
_WRONG_CLOCK = timedelta(minutes=1)


class Kept(NamedTuple):
    """Events, tiles and heads, each in order."""

    events: Sequence[RawEvent]
    tiles: Sequence[KeptTile]
    heads: Sequence[Head]


@define
class MemorySealedLog:
    """Hashes the events of a list, which nobody changes."""

    _log: Sequence[StoredEvent]
    _streams: Mapping[str, Sequence[int]]
    _size: int = 0
    _tiles: dict[TileKey, bytes] = field(factory=dict)
    _heads: dict[int, Head] = field(factory=dict)
    _lease: tuple[str, datetime] | None = None

    async def sealed_size(self) -> int:
        """Return the number of events that the tiles cover."""
        return self._size

    async def extend(self, limit: int) -> int:
        """Cover more events with tiles; return how many they cover then."""
        edge = {key: self._tiles[key] for key in edge_tiles(self._size)}
        leaves = [event_leaf(each) for each in self._raw(self._size, limit)]
        self._tiles.update(extended(self._size, leaves, edge))
        self._size += len(leaves)
        return self._size

    async def tiles(self, wanted: Collection[TileKey]) -> Mapping[TileKey, bytes]:
        """Return tiles by level and index."""
        return {key: self._tiles[key] for key in wanted if key in self._tiles}

    async def raw_events(self, after: int, limit: int) -> Sequence[RawEvent]:
        """Return the events after a position as they are stored."""
        return self._raw(after, limit)

    async def raw_stream(self, stream: str) -> Sequence[RawEvent]:
        """Return the events of one stream as they are stored."""
        return [self._raw(at - 1, 1)[0] for at in self._streams.get(stream, ())]

    async def topics(self, after: int, until: int) -> Mapping[str, int]:
        """Count events by their stored name."""
        return Counter(each.topic for each in self._raw(after, until - max(after, 0)))

    async def keep_head(self, head: Head) -> bool:
        """Store a head unless there is one of its size."""
        return self._heads.setdefault(head.size, head) is head

    async def cosign(self, size: int, before: str, after: str) -> bool:
        """Replace the note of a head by one with more signatures, if it is as before."""
        head = self._heads.get(size)
        if head is None or head.note != before:
            return False
        self._heads[size] = evolve(head, note=after)
        return True

    async def heads(self, after_size: int, limit: int) -> Sequence[Head]:
        """Return heads by size."""
        return [each for each in self._by_size() if each.size > after_size][:limit]

    async def heads_before(self, size: int, limit: int) -> Sequence[Head]:
        """Return the heads of fewer events, the one of the most events first."""
        return [each for each in reversed(self._by_size()) if each.size < size][:limit]

    async def newest_head(self) -> Head | None:
        """Return the head of the most events."""
        return self._heads[max(self._heads)] if self._heads else None

    async def lease(self, owner: str, now: datetime, until: datetime) -> bool:
        """Take or prolong the lease of the one node that seals."""
        if self._lease is not None:
            holder, ends = self._lease
            if holder != owner and now < ends <= until + _WRONG_CLOCK:
                return False
        self._lease = owner, until
        return True

    def kept(self) -> Kept:
        """Return a copy of all of it, for a snapshot."""
        return Kept(
            self._raw(0, len(self._log)),
            [KeptTile(*key, hashes) for key, hashes in sorted(self._tiles.items())],
            self._by_size(),
        )

    def _by_size(self) -> list[Head]:
        return [head for _, head in sorted(self._heads.items())]

    def _raw(self, after: int, limit: int) -> list[RawEvent]:
        return [
            RawEvent(
                position,
                str(each.originator_id),
                each.originator_version,
                each.topic,
                bytes(each.state),
            )
            for position in kept_positions(self._log, after, limit)
            for each in (self._log[position - 1],)
        ]
