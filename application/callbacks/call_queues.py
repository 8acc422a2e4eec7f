"""Calls to many URLs side by side: a few calls to each at once, the others in a queue for each."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from typing import Any

from attrs import define, field, frozen

from ..bounded_tasks import BoundedTasks

# The calls at once: of all queues, of one queue, and of all queues with one share. The last number is
# the length of a queue. A slow host can use up only its own part.
MOST_CALLS, MOST_CALLS_TO_ONE, MOST_CALLS_OF_ONE, MOST_IN_LINE = 512, 16, 128, 1024
# The calls at once to hosts that clients name. The others are for endpoints, which operators create.
MOST_CALLS_SHARED = 384

Call = Callable[[], Coroutine[Any, Any, None]]


@frozen
class Line:
    """
    A queue and the quota that it draws on.

    Queues of one account's hosts share one, whatever their number.
    """

    name: str
    shared_by: str

    @property
    def is_shared(self) -> bool:
        """Whether other queues draw on the same quota."""
        return self.name != self.shared_by


@define
class _Line:
    waiting: deque[tuple[float, Call]] = field(factory=deque)
    at_work: int = 0


class CallsInLine:
    """
    Makes the calls of each queue in order.

    A call that has waited for `seconds` is dropped, because its due row will repeat it. An empty queue
    uses no memory.
    """

    def __init__(self, tasks: BoundedTasks, seconds: float) -> None:
        self._tasks = tasks
        self._seconds = seconds
        self._lines: dict[str, _Line] = {}
        self._shares: Counter[str] = Counter()
        self._shared = 0

    def has_place(self, line: Line) -> bool:
        """Return whether a call in this queue can start soon."""
        there = self._lines.get(line.name)
        if there is not None and there.at_work:
            return len(there.waiting) < MOST_IN_LINE
        if not self._reserve(line):
            return False
        self._tasks.release(line.name)
        return True

    def add(self, line: Line, call: Call) -> None:
        """Add a call to its queue."""
        there = self._lines.setdefault(line.name, _Line())
        there.waiting.append((asyncio.get_running_loop().time(), call))
        if self._reserve(line):
            there.at_work += 1
            self._shares[line.shared_by] += 1
            self._shared += line.is_shared
            self._tasks.begin(line.name, self._work_off(line, there))
        elif not there.at_work:
            # No task would ever make the call.
            del self._lines[line.name]

    def _reserve(self, line: Line) -> bool:
        if self._shares[line.shared_by] >= MOST_CALLS_OF_ONE:
            return False
        if line.is_shared and self._shared >= MOST_CALLS_SHARED:
            return False
        return self._tasks.reserve(line.name)

    async def _work_off(self, line: Line, there: _Line) -> None:
        clock = asyncio.get_running_loop().time
        try:
            while there.waiting:
                came, call = there.waiting.popleft()
                if clock() - came < self._seconds:
                    await call()
        finally:
            there.at_work -= 1
            self._shares -= Counter({line.shared_by: 1})
            self._shared -= line.is_shared
            if not there.at_work and not there.waiting:
                self._lines.pop(line.name, None)
