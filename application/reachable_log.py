"""The sealed log for use cases: a store that is out of reach is a 503, reported to the observers."""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from attrs import frozen

from .ports.sealed_log import Head, RawEvent, SealedLog

T = TypeVar("T")


class InReach(Protocol):
    """Waits for the store; raises `UnavailableError` when it is out of reach."""

    def __call__(self, asking: Awaitable[T], /) -> Awaitable[T]:
        """Return the store's answer."""
        ...


@frozen
class ReachableLog:
    """Passes every call to the store's sealed log, and translates `StoreUnavailable`."""

    _log: SealedLog
    _in_reach: InReach

    async def sealed_size(self) -> int:
        """Return the number of events that the tiles cover."""
        return await self._in_reach(self._log.sealed_size())

    async def extend(self, limit: int) -> int:
        """Cover more events with tiles; return how many they cover then."""
        return await self._in_reach(self._log.extend(limit))

    async def tiles(self, wanted: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], bytes]:
        """Return tiles by level and index."""
        return await self._in_reach(self._log.tiles(wanted))

    async def raw_events(self, after: int, limit: int) -> Sequence[RawEvent]:
        """Return the events after a position as they are stored."""
        return await self._in_reach(self._log.raw_events(after, limit))

    async def raw_stream(self, stream: str) -> Sequence[RawEvent]:
        """Return the events of one stream as they are stored."""
        return await self._in_reach(self._log.raw_stream(stream))

    async def topics(self, after: int, until: int) -> Mapping[str, int]:
        """Count events by their stored name."""
        return await self._in_reach(self._log.topics(after, until))

    async def keep_head(self, head: Head) -> bool:
        """Store a head unless there is one of its size."""
        return await self._in_reach(self._log.keep_head(head))

    async def cosign(self, size: int, before: str, after: str) -> bool:
        """Replace the note of a head by one with more signatures, if it is as before."""
        return await self._in_reach(self._log.cosign(size, before, after))

    async def heads(self, after_size: int, limit: int) -> Sequence[Head]:
        """Return heads by size."""
        return await self._in_reach(self._log.heads(after_size, limit))

    async def heads_before(self, size: int, limit: int) -> Sequence[Head]:
        """Return the heads of fewer events, the one of the most events first."""
        return await self._in_reach(self._log.heads_before(size, limit))

    async def newest_head(self) -> Head | None:
        """Return the head of the most events."""
        return await self._in_reach(self._log.newest_head())

    async def lease(self, owner: str, now: datetime, until: datetime) -> bool:
        """Take or prolong the lease of the one node that seals."""
        return await self._in_reach(self._log.lease(owner, now, until))
