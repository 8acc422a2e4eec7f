"""Wake a follower of the log after an append, at no cost while the follower needs no events."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from .ports.event_store import Append, StoreUnavailable


class LogWakeup:
    """
    Observes the appends of this process. The follower polls for those of other processes.

    `wanted` is whether any event is of interest.
    """

    def __init__(self) -> None:
        self.wanted = True
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Wake the follower."""
        self._woken.set()

    def clear(self) -> None:
        """Forget the appends so far."""
        self._woken.clear()

    async def wait(self, seconds: float) -> bool:
        """Wait for an append, up to this many seconds; return whether one came."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await self._woken.wait()
        return False

    def committed(self, append: Append, _: float, /) -> None:
        """Wake the follower if events were appended."""
        if self.wanted and append.changes:
            self._woken.set()

    def available(self) -> None:
        """Ignore it: the log has not grown."""

    def unavailable(self, _: StoreUnavailable, /) -> None:
        """Ignore it: the log has not grown."""

    def attempted(self, _: object, /) -> None:
        """Ignore it: the log has not grown."""
