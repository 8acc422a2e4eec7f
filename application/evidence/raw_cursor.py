"""Reads the events of a snapshot in order, with a look at those that come."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from ..ports.sealed_log import RawEvent


class RawCursor:
    """Shows the events that come next, until they are taken. `taken` counts those that were."""

    def __init__(self, events: AsyncIterator[RawEvent]) -> None:
        self._events = events
        self._next: list[RawEvent] = []
        self.taken = 0

    async def window(self, position: int, more: int) -> Sequence[RawEvent]:
        """Return the next events up to a position, and at least `more` behind it, if there are so many."""
        following = self._next
        if not self._has(position, more):
            async for each in self._events:
                following.append(each)
                if each.position > position and self._has(position, more):
                    break
        return following

    def take(self, number: int) -> Sequence[RawEvent]:
        """Take so many of the events that the last window showed."""
        taken = self._next[:number]
        del self._next[:number]
        self.taken += len(taken)
        return taken

    def _has(self, position: int, more: int) -> bool:
        return len(self._next) >= more and self._next[-more].position > position
