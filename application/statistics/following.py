"""
Follow the log for the statistics (C-80, D-405).

What is kept between two batches belongs to the position after the first. If the second does not begin
there, because another node followed in between or an append failed, all of it is forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial

from ...domain.statistics import Figures, count
from ..forgetting import Forgetting
from ..journal import Journal
from ..log_follower import Consequences
from ..ports.clock import Clock
from ..ports.event_store import Checkpoint, Outline
from ..records.read_model import Row
from ..records.statistics import (
    BUCKETS,
    StatisticsCostRow,
    StatisticsRefusalsRow,
    StatisticsRow,
    StatisticsUnfinishedRow,
)
from .eras import ERA, OlderEras
from .kept_rows import KeptRows
from .outlines import OF_PINS
from .pin_facts import MOST_PINS, FactsOfPins
from .rows import (
    Refused,
    cost_key,
    cost_row,
    counts_in,
    offsets_in,
    parts_in,
    refusals_in,
    refused_key,
    refused_of,
    refused_row,
    statistics_key,
    statistics_row,
    unfinished_key,
    unfinished_row,
)

# A batch holds the event loop for about 5 ms (measured), and between batches of a backlog, the follower
# leaves the machine to requests. It keeps up with about three times the events of full load.
BATCH = 512
PAUSE = timedelta(milliseconds=20)
# Events gather for half a second, so that few rows are written for many of them.
PACE = timedelta(milliseconds=500)
# Unfinished sends are kept after their expiry for so long, in case the clock is set back.
UNFINISHED_KEPT_FOR = timedelta(hours=1)
_REFUSED = "SendsRefused"
_WANTED = OF_PINS | {_REFUSED}
NOTHING: Mapping[int, int] = {}


class FollowingStatistics:
    """Counts the events of the log into the rows of the statistics."""

    def __init__(self, journal: Journal, clock: Clock, most_pins: int = MOST_PINS) -> None:
        self._journal = journal
        self._clock = clock
        self._older = OlderEras(journal)
        self._facts = FactsOfPins(journal, most_pins)
        self._statistics = KeptRows(
            journal, StatisticsRow, statistics_key, counts_in, statistics_row
        )
        self._costs = KeptRows(journal, StatisticsCostRow, cost_key, parts_in, cost_row)
        self._unfinished = KeptRows(
            journal, StatisticsUnfinishedRow, unfinished_key, offsets_in, unfinished_row
        )
        self._refused = KeptRows(
            journal, StatisticsRefusalsRow, refused_key, refusals_in, refused_row
        )
        # The last position of the last batch.
        self._position = -1
        self._era = 0

    async def read(self, after: int, limit: int) -> Sequence[Outline]:
        """Return the outlines of the next events."""
        return await self._journal.read_outlines(after, limit, _WANTED)

    async def react(self, batch: Sequence[Outline]) -> Consequences:
        """Return the rows that a batch of events changes, on the condition that no rebuild began."""
        first = batch[0].position
        if first != self._position + 1:
            await self._begin()
        # If this fails, the next batch begins elsewhere.
        self._position = batch[-1].position
        figures = await self._figures(batch, first - 1)
        return Consequences(
            rows=(
                *await self._counted(figures),
                *await self._costed(figures),
                *await self._unfinished_in(figures),
                *await self._refused_in(batch),
            ),
            checkpoints=(Checkpoint(ERA, self._era, self._era),),
        )

    async def _figures(self, batch: Sequence[Outline], position: int) -> Figures:
        """Return how the events about PINs change the figures; facts before them are as of a position."""
        about_pins = [each for each in batch if each.type in OF_PINS]
        before = await self._facts.before(about_pins, position)
        after = await self._facts.after(before, about_pins)
        figures = Figures()
        for stream, facts in after.items():
            count(figures, before.get(stream), facts)
        return figures

    async def _counted(self, figures: Figures) -> Iterable[Row]:
        values = await self._statistics.of(figures.counts)
        for place, counts in figures.counts.items():
            kept = values[place]
            for name, change in counts.items():
                kept[name] += change
            for bucket, change in figures.buckets.get(place, NOTHING).items():
                kept[BUCKETS[bucket]] += change
        return self._statistics.changed(values)

    async def _costed(self, figures: Figures) -> Iterable[Row]:
        values = await self._costs.of(figures.costs)
        for of, parts in figures.costs.items():
            values[of][0] += parts
        return self._costs.changed(values)

    async def _unfinished_in(self, figures: Figures) -> Iterable[Row]:
        """Return the rows of unfinished sends; those that expired long ago have none."""
        oldest = (self._clock.now() - UNFINISHED_KEPT_FOR).timestamp()
        changes = {
            of: offsets
            for of, offsets in figures.unfinished.items()
            if of[1] >= oldest and any(offsets.values())
        }
        values = await self._unfinished.of(changes)
        for of, offsets in changes.items():
            kept = values[of]
            for offset, change in offsets.items():
                kept += [offset] * change
                for _ in range(min(-change, kept.count(offset))):
                    # There is none in a row that another node has just dropped: because it expired
                    # long ago, or belongs to an older era, in which nothing will be written.
                    kept.remove(offset)
        return self._unfinished.changed(values)

    async def _refused_in(self, batch: Sequence[Outline]) -> Iterable[Row]:
        refused: Counter[Refused] = Counter()
        for each in batch:
            if each.type == _REFUSED:
                refused[refused_of(each)] += each.data["count"]
        values = await self._refused.of(refused)
        for of, number in refused.items():
            values[of][0] += number
        return self._refused.changed(values)

    async def _begin(self) -> None:
        """Forget all that is kept, and go on in the current era."""
        self._era = await self._journal.position(ERA)
        await self._older.drop(self._era)
        self._facts.forget()
        for each in (self._statistics, self._costs, self._unfinished, self._refused):
            each.begin(self._era)


def forgetting(journal: Journal, clock: Clock) -> Forgetting:
    """Return the work of dropping the rows of unfinished sends that have expired."""
    expired = partial(journal.forget_rows, StatisticsUnfinishedRow, "expires_at")
    return Forgetting(clock, UNFINISHED_KEPT_FOR, expired)
