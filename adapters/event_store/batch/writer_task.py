"""A writer on a task of the event loop, for a store whose writer mostly waits for I/O."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

W = TypeVar("W")
R = TypeVar("R")

# `GroupCommit.close` has waited for the queued batches, so a batch that still runs hangs.
_LAST_SECONDS = 1.0


class WriterTask(Generic[W, R]):
    """
    Awaits `commit` for one batch at a time.

    `commit` returns one result or exception per item, including the items that it appends to its batch.
    If it raises, its exception is the result of every item.
    """

    def __init__(
        self,
        commit: Callable[[list[W]], Awaitable[Sequence[R | Exception]]],
        *,
        last_seconds: float = _LAST_SECONDS,
    ) -> None:
        self._commit = commit
        self._last_seconds = last_seconds
        self._batches: asyncio.Queue[list[W] | None] = asyncio.Queue()

    def start(self, deliver: Callable[[Sequence[R | Exception]], None]) -> None:
        """Start the task."""
        self._deliver = deliver
        self._task = asyncio.create_task(self._run(), name="watchword-writer")

    def put(self, batch: list[W]) -> None:
        """Queue a batch."""
        self._batches.put_nowait(batch)

    async def close(self) -> None:
        """Stop after the queued batches; cancel a batch that hangs."""
        self._batches.put_nowait(None)
        _, hanging = await asyncio.wait({self._task}, timeout=self._last_seconds)
        if hanging:
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=self._last_seconds)

    async def _run(self) -> None:
        while (batch := await self._batches.get()) is not None:
            results: Sequence[R | Exception]
            try:
                results = await self._commit(batch)
            except Exception as error:
                results = [error] * len(batch)
            self._deliver(results)
