"""Turns: who wants to change the same thing at once waits in line instead of losing races."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Any

from .errors import UnavailableError

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

    def of(self, subject: str) -> _Turn:
        """Hold the turn for `subject` inside the `async with` block."""
        return _Turn(self._lines, subject, self._patience)


class _AtOnce:
    """What there is to wait for where nobody stands in line: nothing, for less than a coroutine costs."""

    def __await__(self) -> Any:
        return iter(())


_AT_ONCE = _AtOnce()


class _Turn:
    """One turn; a class and no generator, because every request takes one."""

    __slots__ = ("_lines", "_patience", "_subject", "_waited")

    def __init__(self, lines: dict[str, _Line], subject: str, patience: float) -> None:
        self._lines = lines
        self._subject = subject
        self._patience = patience
        self._waited: AbstractAsyncContextManager[None] | None = None

    def __aenter__(self) -> Awaitable[None]:
        line = self._lines.get(self._subject)
        if line is None:
            self._lines[self._subject] = deque()
            return _AT_ONCE
        return self._stand_in(line)

    def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> Awaitable[bool | None]:
        self._pass_on()
        if self._waited is None:
            return _AT_ONCE
        return self._waited.__aexit__(kind, error, traceback)

    async def _stand_in(self, line: _Line) -> None:
        self._waited = _in_time(self._patience)
        await self._waited.__aenter__()
        try:
            await self._wait(line)
        except BaseException as gave_up:
            await self._waited.__aexit__(type(gave_up), gave_up, gave_up.__traceback__)
            raise

    async def _wait(self, line: _Line) -> None:
        mine = asyncio.get_running_loop().create_future()
        line.append(mine)
        try:
            await mine
        except BaseException:
            if mine.done() and not mine.cancelled():
                # The turn came in the same moment: it must not be lost to those behind.
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        line = self._lines[self._subject]
        while line:
            waiting = line.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return
        del self._lines[self._subject]


@asynccontextmanager
async def _in_time(seconds: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise UnavailableError from None
