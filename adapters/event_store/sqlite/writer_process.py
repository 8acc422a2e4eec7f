"""
A writer in a process of its own, beside the service's.

Two threads of one interpreter mostly exclude each other: every statement of a writer waits until the
event loop releases the interpreter lock, and the loop waits in turn. Two processes use two cores (D-33).
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from ....application.ports.event_store import StoreUnavailable
from ...logs import logger
from ..batch.packed_append import PackedAppend
from ..batch.packing import ROW_SHAPES
from .writer_messages import (
    LENGTH_BYTES,
    batch_message,
    length_of,
    read_verdicts,
    shapes_message,
)

# The pause before a child that died at once is started again.
AGAIN_AFTER = 1.0
# A child that has work and does not answer for so long is killed and replaced.
HUNG_AFTER = 30.0
_STOP_SECONDS = 5.0
_log = logger("watchword.store")


class WriterProcess:
    """
    Sends batches to a child process, which ends when this process ends.

    If a child dies or hangs, its batches fail with `StoreUnavailable`, which leaves open whether they were
    written, and a new child replaces it. `lock` is a file descriptor that the child keeps open, so that no
    other process owns the file before the last commit has ended.
    """

    def __init__(
        self,
        path: Path,
        lock: int,
        real_time: Callable[[], float] = time.time,
        hung_after: float = HUNG_AFTER,
    ) -> None:
        self._path = path
        self._lock = lock
        self._real_time = real_time
        self._hung_after = hung_after
        self._started_at = 0.0
        self._last_answer_at = 0.0
        self._hung: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._sizes: deque[int] = deque()
        self._replies = bytearray()
        self._transport: asyncio.WriteTransport | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._replacing: asyncio.Task[None] | None = None
        self._closed = False

    async def open(self) -> None:
        """Start a child; raises `OSError` if the system cannot."""
        ours, theirs = socket.socketpair()
        with theirs:
            main = f"{__package__}.writer_main"
            self._child = await asyncio.to_thread(
                subprocess.Popen,
                [sys.executable, "-P", "-m", main, str(theirs.fileno()), str(self._path)],
                pass_fds=(theirs.fileno(), self._lock),
                stdin=subprocess.DEVNULL,
            )
        self._started_at = self._loop.time()
        ours.setblocking(False)
        self._transport, _ = await self._loop.create_connection(
            lambda: _Connection(self._received, self._lost), sock=ours
        )
        self._transport.write(shapes_message(ROW_SHAPES.values()))

    def start(self, deliver: Callable[[Sequence[Sequence[int] | Exception]], None]) -> None:
        """Pass results to `deliver` from now on."""
        self._deliver = deliver

    def put(self, batch: Sequence[PackedAppend]) -> None:
        """Send a batch to the child; without a child, fail it."""
        if self._transport is None:
            self._loop.call_soon(self._deliver, [_died()] * len(batch))
            return
        if not self._sizes:
            self._last_answer_at = self._loop.time()
        if self._hung is None:
            self._hung = self._loop.call_later(self._hung_after, self._kill_if_hung)
        self._sizes.append(len(batch))
        self._transport.write(batch_message(batch, self._real_time()))

    async def close(self) -> None:
        """End the child, after every result was delivered."""
        self._closed = True
        if self._hung is not None:
            self._hung.cancel()
        if self._replacing is not None:
            self._replacing.cancel()
            with suppress(asyncio.CancelledError):
                await self._replacing
        if self._transport is not None:
            self._transport.close()
        await self._end_child(patience=_STOP_SECONDS)

    def _kill_if_hung(self) -> None:
        """Kill a child that hangs; one timer serves all batches."""
        self._hung = None
        if not self._sizes or self._child is None:
            return
        left = self._last_answer_at + self._hung_after - self._loop.time()
        if left > 0:
            self._hung = self._loop.call_later(left, self._kill_if_hung)
            return
        _log.error("writer_hangs", seconds=self._hung_after)
        self._child.kill()

    def _received(self, data: bytes) -> None:
        self._last_answer_at = self._loop.time()
        self._replies += data
        while len(self._replies) >= LENGTH_BYTES:
            end = LENGTH_BYTES + length_of(self._replies[:LENGTH_BYTES])
            if len(self._replies) < end:
                return
            body = bytes(self._replies[LENGTH_BYTES:end])
            del self._replies[:end]
            self._sizes.popleft()
            self._deliver(read_verdicts(body))

    def _lost(self) -> None:
        self._transport = None
        self._replies.clear()
        while self._sizes:
            self._deliver([_died()] * self._sizes.popleft())
        if not self._closed:
            _log.error("writer_gone")
            self._replacing = self._loop.create_task(self._replace())

    async def _replace(self) -> None:
        lived = self._loop.time() - self._started_at
        await self._end_child(patience=0)
        if lived < AGAIN_AFTER:
            await asyncio.sleep(AGAIN_AFTER)
        while True:
            try:
                await self.open()
            except Exception as error:
                _log.error("writer_not_started", exc_info=error)
                await asyncio.sleep(AGAIN_AFTER)
            else:
                return

    async def _end_child(self, patience: float) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        try:
            await asyncio.to_thread(child.wait, patience)
        except subprocess.TimeoutExpired:
            child.kill()
            await asyncio.to_thread(child.wait)


class _Connection(asyncio.Protocol):
    """The service's end of the connection to the child."""

    def __init__(self, received: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        self._received = received
        self._lost = lost

    def data_received(self, data: bytes) -> None:
        """Pass on the child's answers."""
        self._received(data)

    def connection_lost(self, _: Exception | None) -> None:
        """Report that the child closed the connection."""
        self._lost()


def _died() -> StoreUnavailable:
    return StoreUnavailable("The store's writer is gone; another one starts.", "writer_gone")
