"""Group commit: what waits is written in one transaction, and told only after its commit."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from ...application.ports.event_store import StoreUnavailable

W = TypeVar("W")
R = TypeVar("R")

CAPACITY = 4096
MAX_BATCH = 256
# Longer than any healthy commit; a caller that hears nothing until then is told 503.
ANSWER_SECONDS = 5.0


class GroupCommit(Generic[W, R]):
    """
    One writer thread for many tasks of one event loop.

    `commit` runs on the thread with all that waits, and gives one result or exception per item;
    what it raises itself is every item's. `committed` runs on the loop before anybody is told, for
    each item that succeeded, whether or not its task still waits.

    What comes in one turn of the loop is handed over together at its end: the writer then has the
    interpreter to itself while the loop waits, instead of taking it from the middle of a turn. No
    timer is needed: a batch forms while the last one commits.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[W]], Sequence[R | Exception]],
        committed: Callable[[W, R], None],
        *,
        capacity: int = CAPACITY,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._commit = commit
        self._committed = committed
        self._capacity = capacity
        self._late = _Watch(answer_seconds)
        self._turn: list[tuple[W, asyncio.Future[R]]] = []
        self._waiting: queue.SimpleQueue[list[tuple[W, asyncio.Future[R]]] | None] = (
            queue.SimpleQueue()
        )
        self._loop = asyncio.get_running_loop()
        self._pending = 0
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="watchword-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many items are not told yet."""
        return self._pending

    async def submit(self, work: W) -> R:
        """Have an item written; raises `StoreUnavailable` when the queue is full or the disk hangs."""
        if self._closed or self._pending >= self._capacity:
            raise StoreUnavailable("The store takes no more writes right now.")
        future: asyncio.Future[R] = self._loop.create_future()
        self._pending += 1
        if not self._turn:
            self._loop.call_soon(self._hand_over)
        self._turn.append((work, future))
        self._late.watch(future)
        return await future

    async def close(self) -> None:
        """Write what waits, then stop."""
        self._closed = True
        self._hand_over()
        self._waiting.put(None)
        await asyncio.to_thread(self._thread.join)

    def _hand_over(self) -> None:
        if self._turn:
            self._waiting.put(self._turn)
            self._turn = []

    def _run(self) -> None:
        waiting: list[tuple[W, asyncio.Future[R]]] = []
        last = False
        while not last or waiting:
            while not last and len(waiting) < MAX_BATCH:
                try:
                    came = self._waiting.get(block=not waiting)
                except queue.Empty:
                    break
                last = came is None
                waiting += came or ()
            if waiting:
                self._write(waiting[:MAX_BATCH])
                del waiting[:MAX_BATCH]

    def _write(self, batch: list[tuple[W, asyncio.Future[R]]]) -> None:
        results: Sequence[R | Exception]
        try:
            results = self._commit([work for work, _ in batch])
        except Exception as error:
            results = [error] * len(batch)
        self._loop.call_soon_threadsafe(self._tell, batch, results)

    def _tell(
        self, batch: list[tuple[W, asyncio.Future[R]]], results: Sequence[R | Exception]
    ) -> None:
        self._pending -= len(batch)
        for (work, future), result in zip(batch, results, strict=True):
            if isinstance(result, Exception):
                if not future.done():
                    future.set_exception(result)
                continue
            self._committed(work, result)
            if not future.done():
                future.set_result(result)


class _Watch:
    """
    Fails the futures that nobody resolves in time.

    One timer watches them all, in the order they came: a timer for each would cost every write of a
    healthy store more than the write waits.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._watched: deque[tuple[float, asyncio.Future[Any]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, future: asyncio.Future[Any]) -> None:
        """Give a future its time from now."""
        self._watched.append((self._loop.time() + self._seconds, future))
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        now = self._loop.time()
        while self._watched:
            until, future = self._watched[0]
            if not future.done() and until > now:
                self._timer = self._loop.call_at(until, self._look)
                return
            self._watched.popleft()
            if not future.done():
                future.set_exception(StoreUnavailable("The store did not answer in time."))
