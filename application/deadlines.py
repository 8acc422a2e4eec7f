"""Deadlines of calls that may all take as long: one timer for however many are under way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from itertools import count
from typing import Any, TypeVar

T = TypeVar("T")


class Deadlines:
    """
    Gives each call `seconds`, as `asyncio.timeout` does.

    That sets a timer for each, which nearly every call is over long before: 2 % of all that a create and a
    verify take (callgrind).
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        # Of each call who waits for it, and until when, the earliest first.
        self._waiting: dict[int, tuple[asyncio.Task[Any], float]] = {}
        self._late: set[int] = set()
        self._numbers = count()
        self._timer: asyncio.TimerHandle | None = None

    async def within(self, call: Awaitable[T]) -> T:
        """Wait for a call; raises `TimeoutError` where it takes too long."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None
        # Not by its task: a call may make others, of this service too.
        number = next(self._numbers)
        until = loop.time() + self.seconds
        self._waiting[number] = task, until
        if self._timer is None:
            self._timer = loop.call_at(until, self._end_late, loop)
        cancelling = task.cancelling()
        try:
            return await call
        except asyncio.CancelledError:
            # Somebody else may have cancelled it as well.
            if number in self._late and task.cancelling() <= cancelling + 1:
                raise TimeoutError from None
            raise
        finally:
            del self._waiting[number]
            if number in self._late:
                self._late.remove(number)
                task.uncancel()

    def _end_late(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        now = loop.time()
        for number, (task, until) in self._waiting.items():
            if until > now:
                self._timer = loop.call_at(until, self._end_late, loop)
                return
            if number not in self._late:
                self._late.add(number)
                task.cancel()
