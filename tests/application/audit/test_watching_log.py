"""Readers of the log who wait for its next event (C-82)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from tests.contracts.event_store.histories import FERN, ORCHID, grown, step
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.audit.log_search import WHOLE_LOG, LogSearch
from watchword.application.audit.reading_log import LogPage, ReadingLog
from watchword.application.audit.watching_log import MOST_WAITING, WatchingLog
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.application.log_wakeup import LogWakeup
from watchword.application.ports.event_store import Append, Recorded, StoreUnavailable

# Longer than any test takes: nothing below waits until it is over.
LONG = 30.0


class CountingStore(MemoryEventStore):
    """A store that counts the reads of its log, and may be out of reach."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0
        self.looks = 0
        self.reachable = True

    async def newest(self) -> int:
        """Count the look."""
        self.looks += 1
        if not self.reachable:
            raise StoreUnavailable("gone")
        return await super().newest()

    async def read_log(self, after: int, limit: int) -> Sequence[Recorded]:
        """Count the read, which takes a turn of the event loop."""
        self.reads += 1
        await asyncio.sleep(0)
        return await super().read_log(after, limit)


class Watched:
    """A log, those who watch it, and the wakeup that the appends of its process reach."""

    def __init__(self) -> None:
        self.store, self.wakeup = CountingStore(), LogWakeup()
        journal = Journal(self.store)
        self.watching = WatchingLog(journal, ReadingLog(journal), self.wakeup)

    async def append(self, append: Append) -> None:
        """Append, and wake who observes this process."""
        await self.store.append(append)
        self.wakeup.committed(append, 0.0)

    def waiter(
        self, after: int = 0, search: LogSearch = WHOLE_LOG, seconds: float = LONG
    ) -> asyncio.Task[LogPage]:
        """Begin to wait for the next event."""
        return asyncio.create_task(self.watching.events(after, 10, search, seconds))

    async def until_watched(self) -> None:
        """Let the readers come to the end of the log, and the first look be over."""
        while not (self.wakeup.wanted and self.store.looks):  # noqa: ASYNC110  it is a step, no event
            await asyncio.sleep(0)


async def test_what_is_there_is_answered_at_once() -> None:
    """A wait is for the next event alone."""
    watched = Watched()
    await watched.append(step(grown(ORCHID, by=2)))
    page = await watched.watching.events(0, 10, WHOLE_LOG, LONG)

    assert ([1, 2], 2) == ([each.position for each in page.events], page.next)
    assert not watched.wakeup.wanted


async def test_the_next_event_ends_the_wait() -> None:
    """A reader at the end of the log gets the event when it is appended."""
    watched = Watched()
    waiter = watched.waiter()
    await watched.until_watched()
    await watched.append(step(grown(ORCHID)))
    page = await waiter

    assert ([1], 1) == ([each.position for each in page.events], page.next)


async def test_a_wait_without_an_event_ends_with_an_empty_page() -> None:
    """The position stays, so that the reader asks for the same again."""
    watched = Watched()
    await watched.append(step(grown(ORCHID)))
    page = await watched.watching.events(1, 10, WHOLE_LOG, 0.01)

    assert LogPage([], 1) == page
    assert not watched.wakeup.wanted


async def test_an_event_that_is_not_asked_for_does_not_end_the_wait() -> None:
    """The answer comes with one that is, and its position is behind both."""
    watched = Watched()
    waiter = watched.waiter(search=LogSearch(streams=frozenset({FERN, "other"})))
    await watched.until_watched()
    await watched.append(step(grown(ORCHID)))
    await watched.append(step(grown(FERN)))
    page = await waiter

    assert ([FERN], 2) == ([each.stream for each in page.events], page.next)


async def test_many_readers_share_one_look_and_one_read() -> None:
    """A hundred readers cost the store what one costs."""
    watched = Watched()
    waiters = [watched.waiter() for _ in range(100)]
    await watched.until_watched()
    before = watched.store.reads
    await watched.append(step(grown(ORCHID)))
    pages = await asyncio.gather(*waiters)

    assert [1] * 100 == [page.next for page in pages]
    assert 1 == watched.store.reads - before
    assert watched.store.looks <= 3


async def test_nothing_looks_at_the_log_while_nobody_waits() -> None:
    """The last reader that goes away ends the looks, also one that is cut off."""
    watched = Watched()
    waiter = watched.waiter()
    await watched.until_watched()
    waiter.cancel()
    await asyncio.wait([waiter])
    looks = watched.store.looks
    await watched.append(step(grown(ORCHID)))
    await asyncio.sleep(0)

    assert looks == watched.store.looks
    assert not watched.wakeup.wanted


async def test_more_readers_than_the_bound_are_refused() -> None:
    """They are asked to try again, and those who wait go on."""
    watched = Watched()
    waiters = [watched.waiter() for _ in range(MOST_WAITING)]
    await watched.until_watched()
    with pytest.raises(UnavailableError):
        await watched.watching.events(0, 10, WHOLE_LOG, LONG)
    await watched.append(step(grown(ORCHID)))

    assert {1} == {page.next for page in await asyncio.gather(*waiters)}


async def test_a_store_out_of_reach_is_said_to_all_who_wait() -> None:
    """Nobody waits for a store that does not answer."""
    watched = Watched()
    watched.store.reachable = False
    waiters = [watched.waiter() for _ in range(3)]

    for each in await asyncio.gather(*waiters, return_exceptions=True):
        assert isinstance(each, UnavailableError)
