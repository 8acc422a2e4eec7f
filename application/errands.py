"""Errands: work that nobody waits for, bounded in number, and finished before a service ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class Errands:
    """Runs coroutines beside the one that begins them, at most `most` at once."""

    def __init__(self, most: int) -> None:
        self._places = asyncio.Semaphore(most)
        self._running: set[asyncio.Task[None]] = set()
        self._failed: BaseException | None = None

    async def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` once there is a place for it."""
        try:
            await self._places.acquire()
        except BaseException:
            work.close()
            raise
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)

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

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._places.release()
        if not task.cancelled() and task.exception() is not None:
            self._failed = task.exception()
