"""Turns: who wants to change the same thing at once waits in line instead of losing races."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from .errors import UnavailableError


class Turns:
    """
    Lets one task at a time work on a subject, in this process.

    It only saves work: what must be exact is checked by the store. The line is bounded by time;
    who has waited `patience` seconds gets `UnavailableError`.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def of(self, subject: str) -> AsyncIterator[None]:
        """Hold the turn for `subject` inside the block."""
        line = self._lines.get(subject)
        if line is None:
            line = self._lines[subject] = deque()
        else:
            await self._wait(line)
        try:
            yield
        finally:
            self._pass_on(subject, line)

    async def _wait(self, line: deque[asyncio.Future[None]]) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.append(mine)
        try:
            await asyncio.wait_for(asyncio.shield(mine), self._patience)
        except BaseException as gave_up:
            if mine.done():
                # The turn came in the same moment: it must not be lost to those behind.
                self._wake_next(line)
            else:
                mine.cancel()
            if isinstance(gave_up, TimeoutError):
                raise UnavailableError from None
            raise

    def _pass_on(self, subject: str, line: deque[asyncio.Future[None]]) -> None:
        if not self._wake_next(line):
            del self._lines[subject]

    @staticmethod
    def _wake_next(line: deque[asyncio.Future[None]]) -> bool:
        while line:
            waiting = line.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return True
        return False
