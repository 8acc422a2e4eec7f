"""Deadlines of calls that may all take as long: one timer for however many are under way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

T = TypeVar("T")


class Deadlines:
    """
    Gives each call `seconds`, as `asyncio.timeout` does.

    That sets a timer for each, which nearly every call is over long before; of a send to a provider
    that answers at once, it was a tenth (callgrind).
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        # Who waits for a call, and until when, the earliest first.
        self._waiting: dict[asyncio.Task[Any], float] = {}
        self._late: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def within(self, call: Awaitable[T]) -> T:
        """Wait for a call; raises `TimeoutError` where it takes too long."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None
        if task in self._waiting:
            # A call within a call: one that is answered by another of the same kind.
            async with asyncio.timeout(self.seconds):
                return await call
        until = self._waiting[task] = loop.time() + self.seconds
        if self._timer is None:
            self._timer = loop.call_at(until, self._end_late, loop)
        cancelling = task.cancelling()
        try:
            return await call
        except asyncio.CancelledError:
            # Somebody else may have cancelled it as well.
            if task in self._late and task.cancelling() == cancelling + 1:
                raise TimeoutError from None
            raise
        finally:
            del self._waiting[task]
            if task in self._late:
                self._late.remove(task)
                task.uncancel()

    def _end_late(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        now = loop.time()
        for task, until in self._waiting.items():
            if until > now:
                self._timer = loop.call_at(until, self._end_late, loop)
                return
            if task not in self._late:
                self._late.add(task)
                task.cancel()
