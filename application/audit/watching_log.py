"""Wait for the next events of the log, however many wait (C-82, D-444)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..errors import UnavailableError
from ..journal import Journal
from ..log_wakeup import LogWakeup
from ..ports.event_store import LONGEST_SLEEP, Recorded
from .log_search import LogSearch
from .reading_log import MAX_EVENTS, LogPage, ReadingLog

# A reader asks again after so many seconds at most, and more readers than these are a mistake.
LONGEST_WAIT = 30
MOST_WAITING = 256
# Events in quick succession share a look. A notice of another process's may be lost, so that somebody looks
# again without one, too.
SHORTEST_REST = 0.05
LOOK_AT_LOG = LONGEST_SLEEP.total_seconds()


class WatchingLog:
    """
    Reads the log behind a position, and waits for the next event if there is none yet.

    All who wait share one look at the end of the log, and one read of what is new there. Nothing looks
    while nobody waits. `wakeup` observes the appends of the journal; the store tells of other processes'.
    """

    def __init__(self, journal: Journal, reading: ReadingLog, wakeup: LogWakeup) -> None:
        self._journal = journal
        self._reading = reading
        self._wakeup = wakeup
        self._wakeup.wanted = False
        self._waiting: dict[asyncio.Future[None], int] = {}
        self._looking: asyncio.Task[None] | None = None
        self._reads: dict[int, asyncio.Task[Sequence[Recorded]]] = {}

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    async def events(self, after: int, limit: int, search: LogSearch, seconds: float) -> LogPage:
        """
        Return a page of `ReadingLog.events`; an empty one only after some seconds, at most 30.

        Raises `UnavailableError` if too many wait already.
        """
        until = asyncio.get_running_loop().time() + min(seconds, LONGEST_WAIT)
        wanted = min(max(limit, 1), MAX_EVENTS)
        page = await self._reading.events(after, wanted, search)
        while not page.events and asyncio.get_running_loop().time() < until:
            if page.next != after:
                # Nothing matched in a long stretch, which is not the end of the log.
                after = page.next
                page = await self._reading.events(after, wanted, search)
            elif await self._grows(after, until):
                page = _found(await self._read(after), wanted, search)
        return page

    async def _grows(self, after: int, until: float) -> bool:
        """Wait until the log has an event after a position; return False if it has none in time."""
        if len(self._waiting) >= MOST_WAITING:
            raise UnavailableError
        grown: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[grown] = after
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            async with asyncio.timeout_at(until):
                await grown
        except TimeoutError:
            return False
        finally:
            del self._waiting[grown]
            if not self._waiting:
                self._rest()
        return True

    def _rest(self) -> None:
        self._wakeup.wanted = False
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    async def _look(self) -> None:
        self._wakeup.wanted = True
        with self._journal.watching_log(self._wakeup.wake):
            while True:
                # Before the look, so that an append during it leads to another.
                self._wakeup.clear()
                try:
                    newest = await self._journal.newest()
                except UnavailableError as failure:
                    self._tell_failure(failure)
                else:
                    self._tell_growth(newest)
                await asyncio.sleep(SHORTEST_REST)
                await self._wakeup.wait(LOOK_AT_LOG)

    def _tell_growth(self, newest: int) -> None:
        for grown, after in self._waiting.items():
            if newest > after and not grown.done():
                grown.set_result(None)

    def _tell_failure(self, failure: UnavailableError) -> None:
        for grown in self._waiting:
            if not grown.done():
                grown.set_exception(failure)

    async def _read(self, after: int) -> Sequence[Recorded]:
        """Read the events after a position, once for all who ask at the same time."""
        reading = self._reads.get(after)
        if reading is None:
            reading = asyncio.create_task(self._journal.read_log(after, MAX_EVENTS))
            self._reads[after] = reading
            reading.add_done_callback(lambda _: self._reads.pop(after))
        # One reader that goes away does not end the read of the others.
        return await asyncio.shield(reading)


def _found(read: Sequence[Recorded], wanted: int, search: LogSearch) -> LogPage:
    found = [each for each in read if search.finds(each)]
    if len(found) > wanted:
        return LogPage(found[:wanted], found[wanted - 1].position)
    return LogPage(found, read[-1].position)
