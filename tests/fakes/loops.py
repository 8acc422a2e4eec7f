"""Event loops that skip idle time, so that tests do not wait."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from time import thread_time
from typing import Any

FASTER = 100


class HurriedLoop(asyncio.SelectorEventLoop):
    """Takes each second of the machine for a hundred."""

    def time(self) -> float:
        """Tell a time that runs a hundred times as fast."""
        return super().time() * FASTER


class SkippingLoop(asyncio.SelectorEventLoop):
    """
    Skips the time in which nothing happens: a sleeper wakes at once, and at its time.

    It serves code that waits for timers and tasks alone: while it waits for threads, no time passes.
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
    """A selector that polls, and reports the time for which it would have waited."""

    def __init__(self, skip: Callable[[float], None]) -> None:
        super().__init__()
        self._skip = skip

    def select(self, timeout: float | None = None) -> Any:
        """Poll; skip time if nothing is ready."""
        ready = super().select(0)
        if not ready and timeout:
            self._skip(timeout)
        return ready


class WatchedLoop(asyncio.SelectorEventLoop):
    """
    Notes how long each callback held the loop, and its kind: a step of a task, a reader, a timer.

    The time is the processor's on this thread, so other processes and threads do not count.
    """

    def __init__(self) -> None:
        self.held: list[tuple[float, str]] = []
        super().__init__()

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]  # typeshed types each argument
        """Call it watched."""
        return super().call_soon(self._watched(callback), *args, context=context)

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]  # as above
        """Call it watched."""
        return super().call_soon_threadsafe(self._watched(callback), *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]  # as above
        """Call it watched."""
        return super().call_at(when, self._watched(callback), *args, context=context)

    def _add_reader(self, fd: Any, callback: Any, *args: Any) -> Any:
        return super()._add_reader(fd, self._watched(callback), *args)  # type: ignore[misc]  # of asyncio's own loops

    def _add_writer(self, fd: Any, callback: Any, *args: Any) -> Any:
        return super()._add_writer(fd, self._watched(callback), *args)  # type: ignore[misc]  # of asyncio's own loops

    def _watched(self, callback: Callable[..., object]) -> Callable[..., object]:
        def run(*args: Any) -> object:
            began = thread_time()
            try:
                return callback(*args)
            finally:
                self.held.append((thread_time() - began, repr(callback)))

        return run
