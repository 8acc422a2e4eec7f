"""
Count the log again, beside the rows that the follower keeps, for an audit (C-91).

The sums are sorted outside of memory, because a store has many more rows than a process should hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from ....domain.statistics import Figures, count
from ...journal import Journal
from ...ports.event_store import Outline
from ...records.read_model import Row
from ...records.statistics import (
    BUCKETS,
    StatisticsCostRow,
    StatisticsRefusalsRow,
    StatisticsRow,
    StatisticsUnfinishedRow,
)
from ...statistics.outlines import OF_PINS
from ...statistics.pin_facts import FactsOfPins
from ...statistics.rows import cost_key, refused_key, refused_of, statistics_key, unfinished_key
from ..sorting import Sorting

_BATCH = 512
REFUSED, _PRUNED = "SendsRefused", "EventsPruned"
_WANTED = OF_PINS | {REFUSED, _PRUNED}
# The part of a pruning that takes whole streams out of the log.
_STREAMS = "stream"

Sums = Mapping[str, int]
COUNTED: tuple[type[Row], ...] = (
    StatisticsRow,
    StatisticsCostRow,
    StatisticsUnfinishedRow,
    StatisticsRefusalsRow,
)


class RecountedStatistics:
    """Counts what the follower of the log has counted up to a position; `close` drops it."""

    def __init__(self, journal: Journal, sorting: Callable[[], Sorting] = Sorting) -> None:
        self._journal = journal
        self._facts = FactsOfPins(journal)
        self._sums = {rows: sorting() for rows in COUNTED}
        # Whether streams that were counted may be gone from the log.
        self.is_pruned = False

    async def count(self, until: int, pause: Callable[[], Awaitable[None]] | None = None) -> None:
        """Count the events up to a position."""
        after = 0
        while after < until:
            read = await self._journal.read_outlines(after, _BATCH, _WANTED)
            batch = [each for each in read if each.position <= until]
            if not batch:
                return
            await self._add(batch, after)
            after = batch[-1].position
            if pause is not None:
                await pause()
        for sums in self._sums.values():
            await sums.ready()

    def sums(self, rows: type[Row]) -> Iterator[tuple[str, Sums]]:
        """Yield the key of each row without its era, in order, and its sums by name, without zeros."""
        for key, entries in groupby(self._sums[rows].sorted(), key=itemgetter(0)):
            sums: defaultdict[str, int] = defaultdict(int)
            for _, name, change in entries:
                sums[name] += int(change)
            yield key, {name: each for name, each in sums.items() if each}

    def close(self) -> None:
        """Drop the sorted data."""
        for sums in self._sums.values():
            sums.close()

    async def _add(self, batch: list[Outline], position: int) -> None:
        about_pins = [each for each in batch if each.type in OF_PINS]
        before = await self._facts.before(about_pins, position)
        figures = Figures()
        for stream, facts in (await self._facts.after(before, about_pins)).items():
            count(figures, before.get(stream), facts)
        self._add_figures(figures)
        for each in batch:
            if each.type == REFUSED:
                key = refused_key(refused_of(each))
                self._put(StatisticsRefusalsRow, key, "refused", each.data["count"])
            elif each.type == _PRUNED:
                self.is_pruned |= each.data["what"] == _STREAMS

    def _add_figures(self, figures: Figures) -> None:
        for place, counts in figures.counts.items():
            for name, change in counts.items():
                self._put(StatisticsRow, statistics_key(place), name, change)
        for place, buckets in figures.buckets.items():
            for bucket, change in buckets.items():
                self._put(StatisticsRow, statistics_key(place), BUCKETS[bucket], change)
        for cost, parts in figures.costs.items():
            self._put(StatisticsCostRow, cost_key(cost), "parts", parts)
        for expiry, offsets in figures.unfinished.items():
            for offset, change in offsets.items():
                self._put(StatisticsUnfinishedRow, unfinished_key(expiry), str(offset), change)

    def _put(self, rows: type[Row], key: str, name: str, change: int) -> None:
        if change:
            self._sums[rows].add(key, name, str(change))
