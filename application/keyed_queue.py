"""Turns: who wants to change the same thing at once waits in line instead of losing races."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from .errors import UnavailableError

T = TypeVar("T")
_Line = deque[asyncio.Future[None]]


class Turns:
    """
    Lets one task at a time work on a subject, in this process.

    It only saves work: what must be exact is checked by the store. Who waits in line has `patience`
    seconds for the wait and the turn together, and gets `UnavailableError` after them: otherwise a
    store that does not answer would hold everybody for as long as it holds those before them (D-31).
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._lines: dict[str, _Line] = {}

    async def take(self, subject: str, work: Callable[[], Awaitable[T]]) -> T:
        """
        Do `work` once the turn for `subject` has come, and give its result.

        Raises `UnavailableError` to who waited, where that and the work take longer than the patience.
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
                # The turn came in the same moment: it must not be lost to those behind.
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
