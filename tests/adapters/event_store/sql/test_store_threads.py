"""Threads for the work of a store: work that no task waits for any more is not begun."""

from __future__ import annotations

import asyncio
import threading

import pytest

from watchword.adapters.event_store.sql.store_threads import READERS, StoreThreads
from watchword.application.ports.event_store import StoreUnavailable


async def test_a_read_that_was_given_up_is_never_begun() -> None:
    """A stop does not wait for all that was asked while the store hung, nor does the next reader."""
    readers, let_go = StoreThreads(), threading.Event()
    read: list[str] = []
    hanging = [asyncio.create_task(readers.run(let_go.wait)) for _ in range(READERS)]
    await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable):
        await readers.run(read.append, "in vain", patience=0.01)
    let_go.set()
    await readers.run(read.append, "in time")
    await readers.close()

    assert ["in time"] == read
    assert [True] * READERS == await asyncio.gather(*hanging)
