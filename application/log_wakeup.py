"""Wakes the follower of the log after an append; costs nothing while nobody follows."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from ..ports.event_store import Append, StoreUnavailable
from ..records.callback_delivery import CallbackDeliveryRow


class LogWakeup:
    """Observes the appends of this process; the follower polls for those of other processes."""

    def __init__(self) -> None:
        self.wanted = True
        self._came = asyncio.Event()

    def tell(self) -> None:
        """Wake the follower."""
        self._came.set()

    def clear(self) -> None:
        """Forget the appends so far."""
        self._came.clear()

    async def wait(self, seconds: float) -> None:
        """Wait for an append, for this many seconds at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._came.wait()

    def committed(self, append: Append, _: float, /) -> None:
        """Wake the follower if events were appended."""
        if self.wanted and append.changes:
            self._came.set()

    def available(self) -> None:
        """Ignore it: the log has not grown."""

    def unavailable(self, _: StoreUnavailable, /) -> None:
        """Ignore it: the log has not grown."""

    def attempted(self, _: CallbackDeliveryRow, /) -> None:
        """Ignore it: the log has not grown."""
