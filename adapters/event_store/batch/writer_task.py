"""Writes batches in a task of the event loop, for a store whose writer mostly waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

W = TypeVar("W")
R = TypeVar("R")

# All batches were waited for before: one that is not written by now hangs.
_LAST_SECONDS = 1.0


class WriterTask(Generic[W, R]):
    """
    Awaits `commit`, a batch at a time.

    `commit` returns one result or exception per item of its batch, and of the items that it adds. An
    exception that it raises counts for every item.
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
        """Take a batch."""
        self._batches.put_nowait(batch)

    async def close(self) -> None:
        """Stop after all batches, or abandon a hanging one."""
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
