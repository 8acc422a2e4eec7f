"""
Eras of the statistics: each rebuild begins one, and only its rows count (D-407).

A batch is written only in the era in which it was read, so no node adds to the rows of another era. A
rebuild is one append. The follower drops the rows of older eras at its leisure, and goes on with both
after a crash.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ..caller import Caller
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.event_store import Checkpoint, Overtaken
from ..records.statistics import (
    StatisticsCostRow,
    StatisticsRefusalsRow,
    StatisticsRow,
    StatisticsUnfinishedRow,
)

# The names of the numbers in the store: the follower's position, and the milliseconds at which the era
# began; the first era has none.
FOLLOWER, ERA = "statistics", "statistics.era"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def era_at(era: int) -> datetime:
    """Return the time that the rows of an era name."""
    return _EPOCH + timedelta(milliseconds=era)


class RebuildingStatistics:
    """Lets the figures be counted again from the start of the log."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def rebuild(self, by: Caller) -> None:
        """
        Begin a new era; the worker counts the log again.

        Until it is done, answers have the position that it has reached.
        """
        while True:
            era = await self._journal.position(ERA)
            position = await self._journal.position(FOLLOWER)
            now = self._clock.now()
            later = max(era + 1, (now - _EPOCH) // timedelta(milliseconds=1))
            moves = (Checkpoint(ERA, era, later), Checkpoint(FOLLOWER, position, 0))
            try:
                await self._journal.write(by, now, checkpoints=moves)
            except Overtaken:
                # The follower wrote a batch in between, or another rebuild began.
                continue
            return


class OlderEras:
    """Drops the rows of older eras, once after each start and each rebuild."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._dropped_before = 0

    async def drop(self, era: int) -> None:
        """Drop the rows from before an era."""
        if era <= self._dropped_before:
            return
        for rows in (
            StatisticsRow,
            StatisticsCostRow,
            StatisticsUnfinishedRow,
            StatisticsRefusalsRow,
        ):
            while await self._journal.forget_rows(rows, "era", era_at(era)):
                pass
        self._dropped_before = era
