"""A store's work on threads of its own: nothing blocks the event loop, nobody waits for what hangs."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from attrs import define
from eventsourcing.persistence import PersistenceError

from ....application.ports.event_store import StoreUnavailable
from ..batch.group_commit import ANSWER_SECONDS
from .failures import reason_of

T = TypeVar("T")

READERS = 4
MAX_WAITING_READS = 4096


@define
class _Wanted(Generic[T]):
    """Work that is not begun once nobody waits for it: a store that comes back is not kept busy."""

    work: Callable[..., T]
    arguments: Sequence[Any]
    given_up: bool = False

    def __call__(self) -> T:
        if self.given_up:
            raise StoreUnavailable("Nobody waits for this any more.", "too_slow")
        return self.work(*self.arguments)


class StoreThreads:
    """Runs work of the store on a few threads, and says its failures in the port's words."""

    def __init__(self, threads: int = READERS) -> None:
        self._threads = ThreadPoolExecutor(threads, "watchword-store")
        self._reading = 0
        self._closed = False

    async def run(
        self,
        work: Callable[..., T],
        *arguments: Any,
        patience: float | None = ANSWER_SECONDS,
    ) -> T:
        """Run work and give its result; raises `StoreUnavailable`, after `patience` seconds too."""
        if self._closed or self._reading >= MAX_WAITING_READS:
            raise StoreUnavailable("The store takes no more reads right now.")
        wanted = _Wanted(work, arguments)
        reading = asyncio.get_running_loop().run_in_executor(self._threads, wanted)
        self._reading += 1
        reading.add_done_callback(self._was_read)
        try:
            async with asyncio.timeout(patience):
                # Given up, it still holds its place: threads that hang must not gather a queue.
                return await asyncio.shield(reading)
        except TimeoutError:
            raise StoreUnavailable("The store did not answer in time.", "too_slow") from None
        except (PersistenceError, sqlite3.Error) as error:
            raise StoreUnavailable(
                f"The store cannot be read: {error}.", reason_of(error)
            ) from error
        finally:
            wanted.given_up = True

    async def close(self) -> None:
        """Take no more work, and wait for what is under way."""
        self._closed = True
        await asyncio.to_thread(self._threads.shutdown)

    def _was_read(self, reading: asyncio.Future[Any]) -> None:
        self._reading -= 1
        if not reading.cancelled():
            # Looked at, so that a failure after nobody waits any more is no error in the log.
            reading.exception()
