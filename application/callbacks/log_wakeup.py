"""News of the log: what wakes whoever follows it, and costs nothing where nobody does."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from ..ports.event_store import Append, StoreUnavailable
from ..read_models.rows import CallbackDeliveryRow


class LogNews:
    """Hears of this process's appends, as a witness; those of other processes have to be looked for."""

    def __init__(self) -> None:
        self.wanted = True
        self._came = asyncio.Event()

    def tell(self) -> None:
        """Wake who waits."""
        self._came.set()

    def clear(self) -> None:
        """Call all that came so far old."""
        self._came.clear()

    async def wait(self, seconds: float) -> None:
        """Wait until there is news, for so many seconds at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._came.wait()

    def committed(self, append: Append, _: float, /) -> None:
        """Hear of events."""
        if self.wanted and append.changes:
            self._came.set()

    def available(self) -> None:
        """Nothing is news of that."""

    def unavailable(self, _: StoreUnavailable, /) -> None:
        """Nothing is news of that."""

    def attempted(self, _: CallbackDeliveryRow, /) -> None:
        """Nothing is news of that."""
