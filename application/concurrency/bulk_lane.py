"""The bulk lane: bulk work runs in short slices, so that other requests wait only briefly (C-94)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf
from time import perf_counter

from .owner_queue import OwnerQueue

# The length of one slice on the event loop, and of the pause after it.
SLICE_SECONDS = 0.001
BREATH_SECONDS = 0.004
# Without a request for this long, slices follow each other without pauses.
LULL_SECONDS = 0.1


class BulkLane:
    """
    Lets the bulk work of a process use its event loop one slice at a time.

    While requests come in, a pause follows each slice. Accounts take turns, whatever the number of
    their calls. The lane only schedules: work outside it, such as that of small calls, never waits for
    it.
    """

    def __init__(
        self,
        slice_seconds: float = SLICE_SECONDS,
        breath_seconds: float = BREATH_SECONDS,
        lull_seconds: float = LULL_SECONDS,
        now: Callable[[], float] = perf_counter,
    ) -> None:
        self.slice_seconds = slice_seconds
        self.now = now
        self._breath_seconds = breath_seconds
        self._lull_seconds = lull_seconds
        self._request_at = -inf
        self._queue = OwnerQueue()
        self._open_at = 0.0
        self._opening: asyncio.TimerHandle | None = None

    def note_request(self) -> None:
        """Note a request, so that pauses follow the next slices."""
        self._request_at = self.now()

    def work(self, account_id: str) -> BulkWork:
        """Begin a piece of bulk work of an account; its first slice begins now."""
        return BulkWork(self, account_id)

    async def wait(self, account_id: str) -> None:
        """Wait for the account's next slice."""
        loop = asyncio.get_running_loop()
        slice_begins = self._queue.add(account_id)
        if self._opening is None:
            # The slice that ends here began in this iteration of the loop; other tasks now run first.
            self._open_at = max(self._open_at, loop.time() + self._breath())
            self._opening = loop.call_at(self._open_at, self._open)
        await slice_begins

    def _open(self) -> None:
        self._opening = None
        loop = asyncio.get_running_loop()
        if self._queue.serve_next():
            self._open_at = loop.time() + self.slice_seconds + self._breath()
            if self._queue.waiters:
                self._opening = loop.call_at(self._open_at, self._open)

    def _breath(self) -> float:
        quiet = self.now() - self._request_at > self._lull_seconds
        return 0.0 if quiet else self._breath_seconds


class BulkWork:
    """One piece of bulk work; it calls `pause` between its steps."""

    def __init__(self, lane: BulkLane, account_id: str) -> None:
        self._lane = lane
        self._account_id = account_id
        self._until = lane.now() + lane.slice_seconds

    async def pause(self) -> None:
        """Return at once within a slice; else wait for the next one."""
        if self._lane.now() < self._until:
            return
        await self._lane.wait(self._account_id)
        self._until = self._lane.now() + self._lane.slice_seconds
