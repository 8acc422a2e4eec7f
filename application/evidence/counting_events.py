"""How many events of each kind the log has, and how many of them a signed head covers (C-105)."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime

from attrs import frozen

from ...domain.log_history import EventsPruned
from ..journal import Journal

# Positions that one job of a store thread counts.
_AT_ONCE = 20_000
# Counts of events that retention drops are made anew no more often than this.
_RECOUNT_SECONDS = 3_600.0


@frozen
class HeadCount:
    """The newest head: how many events it covers, and when it was signed."""

    size: int
    at: datetime


@frozen
class EventCounts:
    """The number of stored events, by name, and the newest head; None before the first one."""

    events: int
    types: Mapping[str, int]
    head: HeadCount | None


class CountingEvents:
    """
    Counts once, and then only what is new, because events never change.

    Retention drops events. After it did, all are counted anew, at most once an hour; until then, the
    dropped ones are still in the counts.
    """

    def __init__(self, journal: Journal, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._journal = journal
        self._monotonic = monotonic
        self._counts: Counter[str] = Counter()
        self._until = 0
        self._since = monotonic()
        self._pruned = False
        self._turn = asyncio.Lock()

    async def count(self) -> EventCounts:
        """Return the counts of now; calls at the same time count once."""
        async with self._turn:
            if self._pruned and self._monotonic() - self._since >= _RECOUNT_SECONDS:
                self._begin_anew()
            await self._count_new(await self._journal.newest())
            head = await self._journal.sealed_log.newest_head()
            return EventCounts(
                self._counts.total(),
                dict(sorted(self._counts.items())),
                None if head is None else HeadCount(head.size, head.at),
            )

    def _begin_anew(self) -> None:
        self._counts.clear()
        self._until, self._since, self._pruned = 0, self._monotonic(), False

    async def _count_new(self, newest: int) -> None:
        whole = self._until == 0
        while self._until < newest:
            to = min(newest, self._until + _AT_ONCE)
            for topic, count in (await self._journal.sealed_log.topics(self._until, to)).items():
                name = topic.partition("/")[0]
                self._counts[name] += count
                self._pruned |= name == EventsPruned.__name__ and not whole
            self._until = to
