"""Calls to many endpoints: side by side, a few at once to each, the rest of each in a line of its own."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from attrs import define, field

from ..errands import Errands

# Calls at once, to all endpoints and to one, and how many may wait for one: who hangs delays no other.
MOST_CALLS, MOST_CALLS_TO_ONE, MOST_IN_LINE = 512, 16, 1024

Call = Callable[[], Coroutine[Any, Any, None]]


@define
class _Line:
    waiting: deque[tuple[float, Call]] = field(factory=deque)
    at_work: int = 0


class CallsInLine:
    """
    Makes the calls of each endpoint, in the order in which they came.

    A call that has waited for `seconds` is not made: whoever wants it made will come again.
    """

    def __init__(self, errands: Errands, seconds: float) -> None:
        self._errands = errands
        self._seconds = seconds
        self._lines: dict[str, _Line] = {}

    def has_place(self, endpoint_id: str) -> bool:
        """Say whether a call to this endpoint would be made soon."""
        line = self._lines.get(endpoint_id)
        if line is not None and line.at_work:
            return len(line.waiting) < MOST_IN_LINE
        if not self._errands.reserve(endpoint_id):
            return False
        self._errands.release(endpoint_id)
        return True

    def add(self, endpoint_id: str, call: Call) -> None:
        """Have a call made when it is its turn."""
        line = self._lines.setdefault(endpoint_id, _Line())
        line.waiting.append((asyncio.get_running_loop().time(), call))
        if self._errands.reserve(endpoint_id):
            line.at_work += 1
            self._errands.begin(endpoint_id, self._work_off(endpoint_id, line))

    async def _work_off(self, endpoint_id: str, line: _Line) -> None:
        clock = asyncio.get_running_loop().time
        try:
            while line.waiting:
                came, call = line.waiting.popleft()
                if clock() - came < self._seconds:
                    await call()
        finally:
            line.at_work -= 1
            if not line.at_work and not line.waiting:
                self._lines.pop(endpoint_id, None)
