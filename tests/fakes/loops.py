"""Event loops for which time flies, so that nobody waits for what waits."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from typing import Any

FASTER = 100


class HurriedLoop(asyncio.SelectorEventLoop):
    """Takes each second of the machine for a hundred."""

    def time(self) -> float:
        """Tell a time that runs a hundred times as fast."""
        return super().time() * FASTER


class SkippingLoop(asyncio.SelectorEventLoop):
    """
    Skips the time in which nothing happens: whoever sleeps wakes at once, and at their time.

    For what waits for timers and tasks alone: to wait for threads, no time would pass.
    """

    def __init__(self) -> None:
        self._skipped = 0.0
        super().__init__(_NeverWaiting(self._skip))

    def time(self) -> float:
        """Tell the machine's time and all that was skipped."""
        return super().time() + self._skipped

    def _skip(self, seconds: float) -> None:
        self._skipped += seconds


class _NeverWaiting(selectors.DefaultSelector):
    """Looks what is ready, and says what time it would have waited for more."""

    def __init__(self, skip: Callable[[float], None]) -> None:
        super().__init__()
        self._skip = skip

    def select(self, timeout: float | None = None) -> Any:
        """Look; time is skipped where nothing is ready."""
        ready = super().select(0)
        if not ready and timeout:
            self._skip(timeout)
        return ready
