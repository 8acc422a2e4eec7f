"""Calls to many URLs side by side: a few calls to each at once, the others in a queue for each."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from typing import Any

from attrs import define, field, frozen

from ..concurrency.bounded_tasks import BoundedTasks

# The calls at once: of all queues, of one queue, and of all queues with one quota. The last number is
# the length of a queue. A slow host can use up only its own quota.
MOST_CALLS, MOST_CALLS_TO_ONE, MOST_CALLS_OF_QUOTA, MOST_QUEUED = 512, 16, 128, 1024
# The calls at once to hosts that clients name. The others are for endpoints, which operators create.
MOST_CALLS_SHARED = 384

Call = Callable[[], Coroutine[Any, Any, None]]


@frozen
class CallQueue:
    """
    A queue and the quota that it draws on.

    The queues of an account's hosts share one quota, whatever their number.
    """

    name: str
    quota: str

    @property
    def is_shared(self) -> bool:
        """Whether other queues draw on the same quota."""
        return self.name != self.quota


@define
class _QueueState:
    calls: deque[tuple[float, Call]] = field(factory=deque)
    workers: int = 0


class CallQueues:
    """
    Makes the calls of each queue in order.

    A call that has waited for `seconds` is dropped, because its due row will repeat it. An empty queue
    uses no memory.
    """

    def __init__(self, tasks: BoundedTasks, seconds: float) -> None:
        self._tasks = tasks
        self._seconds = seconds
        self._states: dict[str, _QueueState] = {}
        self._by_quota: Counter[str] = Counter()
        self._shared = 0

    def has_place(self, queue: CallQueue) -> bool:
        """Return whether a call in this queue can start soon."""
        state = self._states.get(queue.name)
        if state is not None and state.workers:
            return len(state.calls) < MOST_QUEUED
        if not self._reserve(queue):
            return False
        self._tasks.release(queue.name)
        return True

    def add(self, queue: CallQueue, call: Call) -> None:
        """Add a call to its queue."""
        state = self._states.setdefault(queue.name, _QueueState())
        state.calls.append((asyncio.get_running_loop().time(), call))
        if self._reserve(queue):
            state.workers += 1
            self._by_quota[queue.quota] += 1
            self._shared += queue.is_shared
            self._tasks.begin(queue.name, self._work_off(queue, state))
        elif not state.workers:
            # No task would ever make the call.
            del self._states[queue.name]

    def _reserve(self, queue: CallQueue) -> bool:
        if self._by_quota[queue.quota] >= MOST_CALLS_OF_QUOTA:
            return False
        if queue.is_shared and self._shared >= MOST_CALLS_SHARED:
            return False
        return self._tasks.reserve(queue.name)

    async def _work_off(self, queue: CallQueue, state: _QueueState) -> None:
        clock = asyncio.get_running_loop().time
        try:
            while state.calls:
                came, call = state.calls.popleft()
                if clock() - came < self._seconds:
                    await call()
        finally:
            state.workers -= 1
            self._by_quota -= Counter({queue.quota: 1})
            self._shared -= queue.is_shared
            if not state.workers and not state.calls:
                self._states.pop(queue.name, None)
