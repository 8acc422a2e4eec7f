"""Retention's view of the log; a store that is out of reach is a 503."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from attrs import frozen

from ..domain.log_history import PrunedRange
from .ports.prunable_log import PrunableLog
from .ports.sealed_log import RawEvent
from .reachable_log import InReach


@frozen
class ReachablePruning:
    """Passes every call to the store, and translates `StoreUnavailable`."""

    _log: PrunableLog
    _in_reach: InReach

    async def raw_streams(self, streams: Collection[str]) -> Sequence[RawEvent]:
        """Return all events of some streams as they are stored."""
        return await self._in_reach(self._log.raw_streams(streams))

    async def streams_at(self, ranges: Sequence[PrunedRange]) -> Mapping[str, int]:
        """Return the streams at some positions, with the number of their events there."""
        return await self._in_reach(self._log.streams_at(ranges))

    async def blank(self, streams: Mapping[str, int]) -> None:
        """Blank the sealed lines of streams, and drop what hangs on them."""
        await self._in_reach(self._log.blank(streams))

    async def drop(self, streams: Mapping[str, int]) -> None:
        """Drop streams, and what hangs on them."""
        await self._in_reach(self._log.drop(streams))

    async def forget_old_uses(self, prefix: str, before: datetime) -> int:
        """Drop some uses from before a time, of subjects with a prefix."""
        return await self._in_reach(self._log.forget_old_uses(prefix, before))
