"""Share the event loop during long work: no piece of work holds it longer than 20 ms (C-94)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

# A step that begins just before the end of a turn has the rest of the 20 ms.
_SECONDS = 0.005


class Turns:
    """Parts long work into turns of a few milliseconds; between two of them other tasks go on."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._ends = clock() + _SECONDS

    async def pause(self) -> None:
        """Let others go on if the turn is over; call it between two steps."""
        if self._clock() >= self._ends:
            await asyncio.sleep(0)
            self._ends = self._clock() + _SECONDS
