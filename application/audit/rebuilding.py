"""Rebuild what follows from the log, beside service: the walk of the check, then repairs (C-81)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping

from attrs import frozen

from ...domain.log_history import ReadModelsRepaired, repair, repair_decider
from ..caller import Caller
from ..concurrency.bulk_lane import BulkLane
from ..journal import Journal, beginning
from ..ports.clock import Clock
from ..ports.person_keys import PersonKeys
from ..ports.randomness import Randomness
from ..records.log_history import REPAIR
from ..statistics.eras import RebuildingStatistics
from .found_repairs import FoundRepairs
from .rebuild_walk import RebuildWalk
from .rebuilt_lists import lists_named
from .repairing_streams import RepairingStreams, in_parts

# What is wrong is kept in memory until the walk is over, unless it is more than this.
MOST_FOUND = 10_000
# Whose turn it is in the bulk lane.
_REBUILD = "rebuild"

Progress = Callable[[int, int], None]


@frozen(kw_only=True)
class Rebuilt:
    """
    The number of events and streams that were read, and of rows that were replaced and removed, by list.

    `flawed` streams have events that no decision makes: nothing beside them was repaired, and
    `watchword audit check` names them.
    """

    events: int
    streams: int
    replaced: Mapping[str, int]
    removed: Mapping[str, int]
    flawed: int


class Rebuilding:
    """
    Makes what is kept beside the log follow from it again, while the service goes on.

    One rebuild runs at a time in a process; two nodes at once repair the same rows twice.
    """

    def __init__(
        self,
        journal: Journal,
        keys: PersonKeys,
        statistics: RebuildingStatistics,
        lane: BulkLane,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._keys = keys
        self.statistics = statistics
        self._lane = lane
        self._randomness = randomness
        self._clock = clock
        self._repairing = RepairingStreams(journal, keys, clock)
        self._turn = asyncio.Lock()

    async def rebuild(
        self, by: Caller, only: Collection[str] = (), progress: Progress | None = None
    ) -> Rebuilt:
        """
        Put right the rows of some lists, of all by default; `progress` is told how many events of all.

        An event counts the rows before they are repaired, so that no repair goes unseen; nothing is
        written if nothing is wrong. Raises `ValidationFailedError` for an unknown list, and
        `UnavailableError`. A rebuild that was interrupted can be repeated.
        """
        lists = lists_named(only)
        async with self._turn:
            pause = self._lane.work(_REBUILD).pause
            position = await self._journal.newest()
            found = FoundRepairs(lists)
            whole = Counter[str](), Counter[str]()
            async with self._journal.snapshot() as snapshot:
                walk = RebuildWalk(
                    snapshot,
                    self._journal,
                    lists,
                    self._keys,
                    self._clock,
                    progress or _untold,
                    pause,
                )
                async for each in walk.differences():
                    found.take(each)
                    if len(found) >= MOST_FOUND:
                        await self._repair(by, found, position, whole)
            await self._repair(by, found, position, whole)
            replaced, removed = whole
            return Rebuilt(
                events=walk.events,
                streams=walk.streams,
                replaced=dict(sorted(replaced.items())),
                removed=dict(sorted(removed.items())),
                flawed=found.flawed,
            )

    async def _repair(
        self,
        by: Caller,
        found: FoundRepairs,
        position: int,
        whole: tuple[Counter[str], Counter[str]],
    ) -> None:
        """Repair what was found so far, and add it to the whole."""
        for all_of_them, counts in zip(whole, counted := found.counted(), strict=True):
            all_of_them.update(counts)
        replaced, removed = counted
        now = self._clock.now()
        decision = repair(
            ReadModelsRepaired(
                at=now, position=position, replaced=dict(replaced), removed=dict(removed)
            )
        )
        if not decision.events:
            return
        stream = self._randomness.new_id(REPAIR.prefix)
        await self._journal.write(by, now, beginning(repair_decider, stream, decision))
        for wrong in in_parts(found.all()):
            await self._repairing.repair(by, wrong)
        for person_id in found.people():
            while await self._journal.erase_rows(person_id):
                pass
        for guard, version, tallies in found.tallies():
            await self._repairing.correct(by, guard, version, tallies)
        if found.statistics:
            found.statistics = False
            await self.statistics.rebuild(by)


def _untold(_done: int, _all: int) -> None:
    """Tell nobody of the progress."""
