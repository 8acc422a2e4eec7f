"""Turns: who wants to change the same thing at once waits in line instead of losing races."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType

from .errors import UnavailableError

_Line = deque[asyncio.Future[None]]


class Turns:
    """
    Lets one task at a time work on a subject, in this process.

    It only saves work: what must be exact is checked by the store. The line is bounded by time;
    who has waited `patience` seconds gets `UnavailableError`.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._lines: dict[str, _Line] = {}

    def of(self, subject: str) -> _Turn:
        """Hold the turn for `subject` inside the `async with` block."""
        return _Turn(self._lines, subject, self._patience)


class _Turn:
    """One turn; a class and no generator, because every request takes one."""

    __slots__ = ("_lines", "_patience", "_subject")

    def __init__(self, lines: dict[str, _Line], subject: str, patience: float) -> None:
        self._lines = lines
        self._subject = subject
        self._patience = patience

    async def __aenter__(self) -> None:
        line = self._lines.get(self._subject)
        if line is None:
            self._lines[self._subject] = deque()
        else:
            await self._wait(line)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pass_on()

    async def _wait(self, line: _Line) -> None:
        mine = asyncio.get_running_loop().create_future()
        line.append(mine)
        try:
            async with asyncio.timeout(self._patience):
                await mine
        except BaseException as gave_up:
            if mine.done() and not mine.cancelled():
                # The turn came in the same moment: it must not be lost to those behind.
                self._pass_on()
            if isinstance(gave_up, TimeoutError):
                raise UnavailableError from None
            raise

    def _pass_on(self) -> None:
        line = self._lines[self._subject]
        while line:
            waiting = line.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return
        del self._lines[self._subject]
