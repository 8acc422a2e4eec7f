"""Errands: work that nobody waits for, bounded in number, and finished before a service ends."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

# An owner that has as many errands under way as it may have is looked at again after this.
WHEN_CROWDED = timedelta(seconds=5)


class Errands:
    """
    Runs coroutines beside the one that begins them: `most` at once, and `most_of_one` of one owner.

    Nobody ever waits for a place, so that an owner whose provider hangs holds up no other (D-49).
    """

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._places: Counter[str] = Counter()
        self._running: set[asyncio.Task[None]] = set()
        self._failed: BaseException | None = None

    def reserve(self, owner: str) -> bool:
        """Take a place for an errand of this owner, if there is one; it is begun, or released."""
        if self._places.total() >= self._most or self._places[owner] >= self._most_of_one:
            return False
        self._places[owner] += 1
        return True

    def release(self, owner: str) -> None:
        """Give a place back."""
        self._places[owner] -= 1
        if not self._places[owner]:
            del self._places[owner]

    def begin(self, owner: str, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` on a place that was reserved for its owner."""
        task = asyncio.create_task(work)
        self._running.add(task)

        def ended(_: asyncio.Task[None]) -> None:
            self._running.discard(task)
            self.release(owner)
            if not task.cancelled() and task.exception() is not None:
                self._failed = task.exception()

        task.add_done_callback(ended)

    async def finish(self) -> None:
        """Wait until all that was begun has ended."""
        while self._running:
            await asyncio.wait(self._running)

    async def close(self, within: float) -> None:
        """Wait for all that was begun, and cancel what has not ended within this many seconds."""
        if self._running:
            await asyncio.wait(self._running, timeout=within)
        self.abandon()
        await self.finish()

    def abandon(self) -> None:
        """Cancel all that was begun."""
        for task in self._running:
            task.cancel()

    def raise_failure(self) -> None:
        """Raise what one of the errands failed with since this was last asked."""
        failed, self._failed = self._failed, None
        if failed is not None:
            raise failed
