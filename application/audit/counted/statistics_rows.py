"""Compare the rows of the statistics with the log, as far as their follower has counted it (C-80, C-91)."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import closing
from datetime import datetime
from typing import Any, Final

from ....domain.statistics import Cost, Part, Place
from ...errors import UnavailableError
from ...journal import Journal
from ...ports.snapshot import KeptRow, Snapshot
from ...records.read_model import Row
from ...records.statistics import (
    BUCKETS,
    COUNTS,
    StatisticsCostRow,
    StatisticsRefusalsRow,
    StatisticsRow,
    StatisticsUnfinishedRow,
)
from ...statistics.eras import ERA, FOLLOWER
from ...statistics.following import UNFINISHED_KEPT_FOR
from ...statistics.rows import (
    ESTIMATED,
    Refused,
    cost_key,
    parts_in,
    refused_key,
    statistics_key,
    unfinished_key,
)
from ..differences import Difference, Kind
from ..lookahead import Lookahead
from ..sorting import Sorting
from .recounted_statistics import RecountedStatistics, Sums
from .sorting_beside_service import SortingBesideService

_SHOWN: Final[Mapping[type[Row], str]] = {
    StatisticsRow: "Statistics",
    StatisticsCostRow: "Statistics of costs",
    StatisticsUnfinishedRow: "Unfinished sends",
    StatisticsRefusalsRow: "Refused sends",
}


class StatisticsRows:
    """
    Counts the log again up to the follower's position, and compares the sums with the rows of its era.

    A row is the sum of its events, so nothing is compared once retention took whole streams. Rows of sends
    that expired long ago may be gone by `now`.
    """

    def __init__(self, snapshot: Snapshot, journal: Journal, now: datetime) -> None:
        self._snapshot = snapshot
        self._journal = journal
        self._oldest = (now - UNFINISHED_KEPT_FOR).timestamp()

    async def differences(
        self, pause: Callable[[], Awaitable[None]] | None = None
    ) -> AsyncIterator[Difference]:
        """Yield the rows that are not the sums of their events."""
        positions = {each.name: each.position async for each in self._snapshot.positions()}
        sorting = Sorting if pause is None else SortingBesideService
        with closing(RecountedStatistics(self._journal, sorting)) as recounted:
            try:
                await recounted.count(positions.get(FOLLOWER, 0), pause)
            except UnavailableError:
                raise
            except Exception:
                # A forged event can lead to any error. The walk of the streams names it.
                return
            if recounted.is_pruned:
                return
            for rows in _SHOWN:
                async for each in self._compared(rows, recounted, positions.get(ERA, 0), pause):
                    yield each

    async def _compared(
        self,
        rows: type[Row],
        recounted: RecountedStatistics,
        era: int,
        pause: Callable[[], Awaitable[None]] | None,
    ) -> AsyncIterator[Difference]:
        kept = Lookahead(_of_era(self._snapshot.rows(rows), f"{era}|"), _key)
        for key, wanted in recounted.sums(rows):
            if pause is not None:
                await pause()
            full = f"{era}|{key}"
            async for stray in kept.before(full):
                for each in self._differing(rows, stray.key, {}, stray):
                    yield each
            found = await kept.under(full)
            for each in self._differing(rows, full, wanted, found[0] if found else None):
                yield each
        async for stray in kept.before(None):
            for each in self._differing(rows, stray.key, {}, stray):
                yield each

    def _differing(
        self, rows: type[Row], key: str, wanted: Sums, found: KeptRow[Any] | None
    ) -> list[Difference]:
        """Return the difference of one row, if there is one."""
        if rows is StatisticsUnfinishedRow and _second_in(key) < self._oldest:
            return []
        if found is None:
            has: Sums = {}
        elif found.row is None or _key_of(found.row) != key.partition("|")[2]:
            return [_difference(rows, key, "a row", "an unreadable row")]
        else:
            has = _sums_in(found.row)
        if has == wanted:
            return []
        names = sorted(name for name in {*has, *wanted} if has.get(name) != wanted.get(name))
        return [_difference(rows, key, _named(wanted, names), _named(has, names))]


def _sums_in(row: Any) -> Sums:
    """Return the sums in a row by name, without zeros, as they are counted again."""
    match row:
        case StatisticsRow():
            sums = {name: getattr(row, name) for name in (*COUNTS, *BUCKETS)}
        case StatisticsCostRow():
            sums = {"parts": parts_in(row)[0]}
        case StatisticsUnfinishedRow():
            sums = Counter(map(str, row.offsets))
            if row.number != len(row.offsets):
                sums["number"] = row.number
        case _:
            sums = {"refused": row.refused}
    return {name: each for name, each in sums.items() if each}


def _key_of(row: Any) -> str:
    """Return the key that follows from what a row says of itself, without its era."""
    if isinstance(row, StatisticsRefusalsRow):
        return refused_key(Refused(row.account_id, _hour(row.at), row.rule, row.country))
    try:
        part = Part(row.part)
    except ValueError:
        return ""
    place = Place(
        row.account_id,
        _hour(row.at),
        part,
        row.template_id,
        row.country,
        row.channel,
        row.provider,
        row.channel_account_id,
    )
    if isinstance(row, StatisticsCostRow):
        return cost_key((place, Cost(row.currency, row.basis == ESTIMATED)))
    if isinstance(row, StatisticsUnfinishedRow):
        return unfinished_key((place, int(row.expires_at.timestamp())))
    return statistics_key(place)


def _hour(at: datetime) -> int:
    return int(at.timestamp()) // 3_600


def _second_in(key: str) -> float:
    second = key.split("|")[1]
    return int(second) if second.isdecimal() else float("inf")


def _named(sums: Sums, names: list[str]) -> str:
    return ", ".join(f"{name} {sums.get(name, 0)}" for name in names)


async def _of_era(rows: AsyncIterator[KeptRow[Any]], era: str) -> AsyncIterator[KeptRow[Any]]:
    """Leave out the rows of older eras, which the follower drops at its leisure."""
    async for each in rows:
        if each.key.startswith(era):
            yield each


def _key(row: KeptRow[Any]) -> str:
    return row.key


def _difference(rows: type[Row], key: str, expected: str, found: str) -> Difference:
    return Difference(
        kind=Kind.STATISTICS, what=_SHOWN[rows], id=key, expected=expected, found=found
    )
