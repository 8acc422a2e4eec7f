"""Gathers the loads of one turn of the event loop for a reader thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from ....application.ports.event_store import Loaded
from ....domain.decider import Decider
from ..sql.reads import Wanted
from ..sql.store_threads import StoreThreads

# The loads of one job, so that a worker's many loads are shared among the reader threads.
TOGETHER = 64


class GatheredLoads:
    """
    Reads many streams in one job.

    A job costs a switch between threads, which is more than reading a stream: a thousand due fallbacks
    would pay it a thousand times. For each stream, `read` returns its state, None if it has no events, or
    the exception that explains why it cannot be rebuilt.
    """

    def __init__(
        self,
        readers: StoreThreads,
        read: Callable[[Sequence[Wanted]], Sequence[Loaded[Any] | Exception | None]],
    ) -> None:
        self._readers = readers
        self._read = read
        self._forming: list[tuple[Wanted, asyncio.Future[Loaded[Any] | None]]] = []
        self._jobs: set[asyncio.Task[None]] = set()

    async def load(self, decider: Decider[Any], stream: str) -> Loaded[Any] | None:
        """Load one stream together with all others that are requested now."""
        loop = asyncio.get_running_loop()
        loaded: asyncio.Future[Loaded[Any] | None] = loop.create_future()
        if not self._forming:
            loop.call_soon(self._hand_over)
        self._forming.append(((decider, stream), loaded))
        return await loaded

    def _hand_over(self) -> None:
        forming, self._forming = self._forming, []
        for start in range(0, len(forming), TOGETHER):
            job = asyncio.create_task(self._run(forming[start : start + TOGETHER]))
            self._jobs.add(job)
            job.add_done_callback(self._jobs.discard)

    async def _run(
        self, batch: Sequence[tuple[Wanted, asyncio.Future[Loaded[Any] | None]]]
    ) -> None:
        found: Sequence[Loaded[Any] | Exception | None]
        try:
            found = await self._readers.run(self._read, [wanted for wanted, _ in batch])
        except Exception as failure:
            found = [failure] * len(batch)
        for (_, loaded), each in zip(batch, found, strict=True):
            if loaded.done():
                continue
            if isinstance(each, Exception):
                loaded.set_exception(each)
            else:
                loaded.set_result(each)
