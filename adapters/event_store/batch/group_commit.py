"""Group commit: waiting items share one transaction and are acknowledged after its commit."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from time import perf_counter
from typing import Generic, Protocol, TypeVar

from ....application.ports.event_store import StoreUnavailable

W = TypeVar("W")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
# An item, the future of its result, and the loop's time at which the caller gives up.
_Waiting = tuple[W, asyncio.Future[R], float]
# Called after each commit with its number of items and the writer's seconds.
Wrote = Callable[[int, float], None]

CAPACITY = 4096
MAX_BATCH = 256
# One batch commits while one waits in the queue; more batches would only be smaller (measured).
AHEAD = 2
# Longer than any healthy commit; a caller without a result by then gets 503 within 5 s.
ANSWER_SECONDS = 4.7


class Writer(Protocol[W, R_co]):
    """Writes batches one after the other, without blocking the event loop."""

    def start(self, deliver: Callable[[Sequence[R_co | Exception]], None]) -> None:
        """Start; `deliver` is called on the loop once per batch, in order, with a result per item."""
        ...

    def put(self, batch: list[W]) -> None:
        """Queue a batch, which is one transaction; never blocks."""
        ...

    async def close(self) -> None:
        """Write all items and deliver their results, then stop."""
        ...


class GroupCommit(Generic[W, R]):
    """
    One writer for many tasks of one event loop.

    `committed` is called for each item that succeeded, before its result is delivered, even if its task
    no longer waits. Each function of `wrote` is called with a batch's size and the writer's seconds.

    Items submitted in one turn of the loop are passed to the writer together at its end. No timer is
    needed: a batch forms while the earlier ones commit.
    """

    def __init__(
        self,
        writer: Writer[W, R],
        committed: Callable[[W, R], None],
        wrote: Sequence[Wrote] = (),
        *,
        ahead: int = AHEAD,
        capacity: int = CAPACITY,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._writer = writer
        self._committed = committed
        self._wrote = wrote
        self._idle_since = 0.0
        self._ahead = ahead
        self._capacity = capacity
        self._answer_seconds = answer_seconds
        self._forming: list[_Waiting[W, R]] = []
        self._put: deque[tuple[float, list[_Waiting[W, R]]]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._pending = 0
        self._closed = False
        self._all_delivered = asyncio.Event()
        writer.start(self._deliver)

    @property
    def waiting(self) -> int:
        """The number of items without a result."""
        return self._pending

    def submit(self, work: W) -> asyncio.Future[R]:
        """
        Queue an item; return the future of its result.

        Raises `StoreUnavailable` if the queue is full. The future raises it if the disk hangs.
        """
        if self._closed or self._pending >= self._capacity:
            raise StoreUnavailable("The store takes no more work right now.", "queue_full")
        future: asyncio.Future[R] = self._loop.create_future()
        self._pending += 1
        if not self._forming:
            self._loop.call_soon(self._hand_over)
        until = self._loop.time() + self._answer_seconds
        self._forming.append((work, future, until))
        if self._timer is None:
            self._timer = self._loop.call_at(until, self._fail_overdue)
        return future

    def late(self, least: int) -> list[W]:
        """
        Return late items if there are at least `least`; they join the batch that is being written.

        The caller must write them, and deliver their results after those of the batch's own items. They join
        the oldest undelivered batch, so a writer that calls this must write one batch at a time.
        """
        _, batch = self._put[0]
        room = MAX_BATCH - len(batch)
        if len(self._forming) < least or not room:
            return []
        joining = self._forming[:room]
        del self._forming[:room]
        batch += joining
        return [work for work, _, _ in joining]

    async def close(self) -> None:
        """Write the queued items, then stop; wait for a hanging writer only as long as callers do."""
        self._closed = True
        self._hand_over()
        if self._pending:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._answer_seconds):
                    await self._all_delivered.wait()
        await self._writer.close()

    def _hand_over(self) -> None:
        while self._forming and len(self._put) < self._ahead:
            batch = self._forming[:MAX_BATCH]
            del self._forming[:MAX_BATCH]
            self._put.append((perf_counter(), batch))
            self._writer.put([work for work, _, _ in batch])

    def _deliver(self, results: Sequence[R | Exception]) -> None:
        put_at, batch = self._put.popleft()
        self._pending -= len(batch)
        began, self._idle_since = max(put_at, self._idle_since), perf_counter()
        try:
            for each in self._wrote:
                each(len(batch), self._idle_since - began)
            self._deliver_each(batch, results)
        except Exception as error:
            # A callback failed; without this, the items without a result would wait for ever.
            self._loop.call_exception_handler({"message": "a commit was lost", "exception": error})
            for _, future, _ in batch:
                if not future.done():
                    future.set_exception(StoreUnavailable("The store's answer was lost.", "untold"))
        # Before the callers go on, so that the writer works meanwhile.
        self._hand_over()
        if self._closed and not self._pending:
            self._all_delivered.set()

    def _deliver_each(
        self, batch: Sequence[_Waiting[W, R]], results: Sequence[R | Exception]
    ) -> None:
        for (work, future, _), result in zip(batch, results, strict=True):
            if isinstance(result, Exception):
                if not future.done():
                    future.set_exception(result)
                continue
            self._committed(work, result)
            if not future.done():
                future.set_result(result)

    def _fail_overdue(self) -> None:
        """
        Fail the items without a result in time; they may still be written.

        One timer serves all items in the order of their submission. A timer for each item would cost every
        write of a healthy store more than its wait.
        """
        self._timer = None
        now = self._loop.time()
        for _, future, until in chain(*(batch for _, batch in self._put), self._forming):
            if future.done():
                continue
            if until > now:
                self._timer = self._loop.call_at(until, self._fail_overdue)
                return
            future.set_exception(StoreUnavailable("The store did not answer in time.", "too_slow"))
