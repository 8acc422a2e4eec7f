"""A writer on a thread of this process, for embedders that want no second process."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

W = TypeVar("W")
R = TypeVar("R")


class WriterThread(Generic[W, R]):
    """
    Runs `commit` on one thread for one batch at a time.

    `commit` returns one result or exception per item. If it raises, its exception is the result of
    every item.
    """

    def __init__(self, commit: Callable[[Sequence[W]], Sequence[R | Exception]]) -> None:
        self._commit = commit
        self._batches: queue.SimpleQueue[Sequence[W] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="watchword-writer", daemon=True)

    def start(self, deliver: Callable[[Sequence[R | Exception]], None]) -> None:
        """Start the thread; `deliver` runs on the caller's event loop."""
        self._loop = asyncio.get_running_loop()
        self._deliver = deliver
        self._thread.start()

    def put(self, batch: Sequence[W]) -> None:
        """Queue a batch."""
        self._batches.put(batch)

    async def close(self) -> None:
        """Stop after the queued batches."""
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            results: Sequence[R | Exception]
            try:
                results = self._commit(batch)
            except Exception as error:
                results = [error] * len(batch)
            self._loop.call_soon_threadsafe(self._deliver, results)
