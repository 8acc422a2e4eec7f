"""The bulk lane: work on many things at once goes in slices, so that nobody waits long for it (C-94)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from math import inf
from time import perf_counter

# How long one slice holds the event loop, and how long it is everybody else's then.
SLICE_SECONDS = 0.001
BREATH_SECONDS = 0.004
# A process that had no request for so long has nobody to leave the loop to.
LULL_SECONDS = 0.1


class BulkLane:
    """
    Lets the bulk work of a process hold its event loop one slice at a time.

    While requests come in, a breath follows each slice. Accounts take turns, whatever the number of
    their calls. It saves others from waiting and decides nothing: work that is not in the lane, as
    that of a small call is, never waits for it.
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
        # The accounts that wait, the next one first, each with its pieces of work in order.
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}
        self._open_at = 0.0
        self._opening: asyncio.TimerHandle | None = None

    def note_request(self) -> None:
        """Note that a request came in, so that the next slices leave it the loop."""
        self._request_at = self.now()

    def work(self, account_id: str) -> BulkWork:
        """Begin a piece of bulk work of an account; its first slice begins now."""
        return BulkWork(self, account_id)

    async def wait(self, account_id: str) -> None:
        """Wait for the account's next slice."""
        loop = asyncio.get_running_loop()
        mine = loop.create_future()
        self._lines.setdefault(account_id, deque()).append(mine)
        if self._opening is None:
            # The slice that ends here began in this turn of the loop: the others have theirs first.
            self._open_at = max(self._open_at, loop.time() + self._breath())
            self._opening = loop.call_at(self._open_at, self._open)
        await mine

    def _open(self) -> None:
        self._opening = None
        loop = asyncio.get_running_loop()
        while self._lines:
            account_id = next(iter(self._lines))
            line = self._lines.pop(account_id)
            mine = line.popleft()
            if line:
                # Behind all others who wait.
                self._lines[account_id] = line
            if mine.done():
                continue
            mine.set_result(None)
            self._open_at = loop.time() + self.slice_seconds + self._breath()
            if self._lines:
                self._opening = loop.call_at(self._open_at, self._open)
            return

    def _breath(self) -> float:
        quiet = self.now() - self._request_at > self._lull_seconds
        return 0.0 if quiet else self._breath_seconds


class BulkWork:
    """One piece of bulk work, which offers to pause wherever it can."""

    def __init__(self, lane: BulkLane, account_id: str) -> None:
        self._lane = lane
        self._account_id = account_id
        self._until = lane.now() + lane.slice_seconds

    async def pause(self) -> None:
        """Go on at once within a slice; else wait for the next one."""
        if self._lane.now() < self._until:
            return
        await self._lane.wait(self._account_id)
        self._until = self._lane.now() + self._lane.slice_seconds
