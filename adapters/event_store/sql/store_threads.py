"""Runs a store's work on threads, so that nothing blocks the event loop or hangs a caller."""

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
    """Work that does not start once its caller gave up, so that a recovered store is not kept busy."""

    work: Callable[..., T]
    arguments: Sequence[Any]
    given_up: bool = False

    def __call__(self) -> T:
        if self.given_up:
            raise StoreUnavailable("Nobody waits for this any more.", "too_slow")
        return self.work(*self.arguments)


class StoreThreads:
    """Runs work of the store on a few threads, and translates its failures to the port's errors."""

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
        """Run work; return its result. Raises `StoreUnavailable`, at the latest after `patience` seconds."""
        if self._closed or self._reading >= MAX_WAITING_READS:
            raise StoreUnavailable("The store takes no more reads right now.")
        wanted = _Wanted(work, arguments)
        reading = asyncio.get_running_loop().run_in_executor(self._threads, wanted)
        self._reading += 1
        reading.add_done_callback(self._was_read)
        try:
            async with asyncio.timeout(patience):
                # A job that hangs keeps its place after the caller gave up, so that no queue builds up.
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
        """Refuse further work, and wait for the work in progress."""
        self._closed = True
        await asyncio.to_thread(self._threads.shutdown)

    def _was_read(self, reading: asyncio.Future[Any]) -> None:
        self._reading -= 1
        if not reading.cancelled():
            # Retrieve the exception: asyncio would log one that nobody waits for.
            reading.exception()
