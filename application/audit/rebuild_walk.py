"""The part of the check's walk that a rebuild needs, at a pace that leaves room for requests (C-81)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import closing

from ..due_work import AFTER_A_FAILURE
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.person_keys import PersonKeys
from ..ports.sealer import CODE_KEY_LOST
from ..ports.snapshot import Snapshot
from .answers import Answers
from .checking import CLOCK_STEP
from .counted.sorting_beside_service import SortingBesideService
from .counted.statistics_rows import StatisticsRows
from .counted.tallies import CountedTallies
from .differences import Difference
from .media_totals import MediaTotals
from .named_people import NamedPeople
from .pruned_positions import PrunedPositions
from .rebuilt_lists import STATISTICS
from .sealed_owners import SealedOwners
from .sorting import Sorting
from .walking_streams import WalkingStreams


class _Nowhere(Sorting):
    """Takes the uses of rates, which a rebuild does not compare."""

    def add(self, *_entry: str) -> None:
        """Drop an entry."""


class RebuildWalk:
    """Compares the streams of a snapshot with the rows, holders, due rows and people kept for them."""

    def __init__(
        self,
        snapshot: Snapshot,
        journal: Journal,
        lists: Collection[str],
        keys: PersonKeys,
        clock: Clock,
        progress: Callable[[int, int], None],
        pause: Callable[[], Awaitable[None]],
    ) -> None:
        self._snapshot = snapshot
        self._journal = journal
        self._lists = lists
        self._keys = keys
        self._clock = clock
        self._progress = progress
        self._pause = pause
        self._all = 0
        self.events = 0
        self.streams = 0

    async def differences(self) -> AsyncIterator[Difference]:
        """Yield the differences, those of a stream's events before those beside it."""
        self._all = await self._snapshot.size()
        lost = await self._snapshot.setting(CODE_KEY_LOST)
        pruned = await PrunedPositions.read(self._snapshot)
        now = self._clock.now()
        with (
            closing(Answers(None)) as answers,
            closing(_Nowhere()) as uses,
            closing(MediaTotals()) as totals,
            closing(NamedPeople(self._keys, pruned, SortingBesideService)) as people,
            closing(SealedOwners()) as owners,
            closing(CountedTallies(self._keys, now, SortingBesideService)) as tallies,
        ):
            streams = WalkingStreams(
                self._snapshot,
                answers=answers,
                files=None,
                names=(),
                uses=uses,
                totals=totals,
                people=people,
                owners=owners,
                tallies=tallies,
                # A sandbox's clock may have been moved between any two events (D-159).
                step=CLOCK_STEP + abs(now - self._clock.real()),
                latest=now + CLOCK_STEP + AFTER_A_FAILURE,
                keys=self._keys,
                lost=lost is not None,
                advance=self._advance,
                pruned=pruned,
                pause=self._pause,
            )
            async for each in streams.differences():
                yield each
            self.streams = streams.streams
            async for each in people.differences(self._snapshot):
                await self._pause()
                yield each
            async for each in tallies.differences(self._snapshot):
                await self._pause()
                yield each
        if STATISTICS in self._lists:
            rows = StatisticsRows(self._snapshot, self._journal, now)
            async for each in rows.differences(self._pause):
                yield each

    def _advance(self) -> None:
        self.events += 1
        self._progress(self.events, self._all)
