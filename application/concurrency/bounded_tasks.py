"""Background tasks: limited in number, and finished before a service ends."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

# How long due work is put off if its owner has no place for another task.
WHEN_CROWDED = timedelta(seconds=5)


class BoundedTasks:
    """
    Runs coroutines in the background: at most `most` at once, and `most_of_one` for one owner.

    No task waits for a place, so a slow provider delays only its owner (D-49).
    """

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._places: Counter[str] = Counter()
        self._running: set[asyncio.Task[None]] = set()
        self._failed: BaseException | None = None

    def reserve(self, owner: str) -> bool:
        """
        Reserve a place for a task of this owner, if one is free.

        The caller then calls `begin` or `release`.
        """
        if self._places.total() >= self._most or self._places[owner] >= self._most_of_one:
            return False
        self._places[owner] += 1
        return True

    def release(self, owner: str) -> None:
        """Free a place that was reserved."""
        self._places[owner] -= 1
        if not self._places[owner]:
            del self._places[owner]

    def begin(self, owner: str, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` on the place that its owner reserved."""
        task = asyncio.create_task(work)
        self._running.add(task)

        def ended(_: asyncio.Task[None]) -> None:
            self._running.discard(task)
            self.release(owner)
            if not task.cancelled() and task.exception() is not None:
                self._failed = task.exception()

        task.add_done_callback(ended)

    async def finish(self) -> None:
        """Wait until all tasks have ended."""
        while self._running:
            await asyncio.wait(self._running)

    async def close(self, within: float) -> None:
        """Wait for all tasks for this many seconds, then cancel the rest."""
        if self._running:
            await asyncio.wait(self._running, timeout=within)
        self.abandon()
        await self.finish()

    def abandon(self) -> None:
        """Cancel all tasks."""
        for task in self._running:
            task.cancel()

    def raise_failure(self) -> None:
        """Raise the newest failure of a task since the last call."""
        failed, self._failed = self._failed, None
        if failed is not None:
            raise failed
