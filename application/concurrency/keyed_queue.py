"""A queue for each key: calls for the same key run one after the other."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ..errors import UnavailableError

T = TypeVar("T")
_Waiters = deque[asyncio.Future[None]]


class KeyedQueue:
    """
    Runs one call at a time for each key, in this process.

    The queue only saves work: it avoids races that the store would decide anyway. A call that has to
    wait gets `patience` seconds for the wait and its work together. Otherwise a store that does not
    answer would hold up every call for the sum of all time-outs before it (D-31).
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._queues: dict[str, _Waiters] = {}

    async def take(self, key: str, work: Callable[[], Awaitable[T]]) -> T:
        """
        Run `work` after all earlier calls for `key`, and return its result.

        Raises `UnavailableError` if the call had to wait, and the patience ended before its work did.
        """
        queue = self._queues.get(key)
        if queue is not None:
            return await self._take_after_others(key, queue, work)
        self._queues[key] = deque()
        try:
            return await work()
        finally:
            self._pass_on(key)

    async def _take_after_others(
        self, key: str, queue: _Waiters, work: Callable[[], Awaitable[T]]
    ) -> T:
        try:
            async with asyncio.timeout(self._patience):
                await self._wait(key, queue)
                try:
                    return await work()
                finally:
                    self._pass_on(key)
        except TimeoutError:
            raise UnavailableError from None

    async def _wait(self, key: str, queue: _Waiters) -> None:
        mine = asyncio.get_running_loop().create_future()
        queue.append(mine)
        try:
            await mine
        except BaseException:
            if mine.done() and not mine.cancelled():
                # The place was handed to this call as it was cancelled: pass it on.
                self._pass_on(key)
            raise

    def _pass_on(self, key: str) -> None:
        queue = self._queues[key]
        while queue:
            waiting = queue.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return
        del self._queues[key]
