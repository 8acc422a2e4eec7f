"""A queue for each key: calls for the same key run one after the other."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from .errors import UnavailableError

T = TypeVar("T")
_Line = deque[asyncio.Future[None]]


class KeyedQueue:
    """
    Runs one call at a time for each key, in this process.

    The queue only saves work: it avoids races that the store would decide anyway. A call that has to
    wait gets `patience` seconds for the wait and its work together. Otherwise a store that does not
    answer would hold up every call for the sum of all time-outs before it (D-31).
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._lines: dict[str, _Line] = {}

    async def take(self, subject: str, work: Callable[[], Awaitable[T]]) -> T:
        """
        Run `work` after all earlier calls for `subject`, and return its result.

        Raises `UnavailableError` if the call had to wait, and the patience ended before its work did.
        """
        line = self._lines.get(subject)
        if line is not None:
            return await self._take_in_line(subject, line, work)
        self._lines[subject] = deque()
        try:
            return await work()
        finally:
            self._pass_on(subject)

    async def _take_in_line(self, subject: str, line: _Line, work: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(self._patience):
                await self._wait(subject, line)
                try:
                    return await work()
                finally:
                    self._pass_on(subject)
        except TimeoutError:
            raise UnavailableError from None

    async def _wait(self, subject: str, line: _Line) -> None:
        mine = asyncio.get_running_loop().create_future()
        line.append(mine)
        try:
            await mine
        except BaseException:
            if mine.done() and not mine.cancelled():
                # The place was handed to this call as it was cancelled: pass it on.
                self._pass_on(subject)
            raise

    def _pass_on(self, subject: str) -> None:
        line = self._lines[subject]
        while line:
            waiting = line.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return
        del self._lines[subject]
