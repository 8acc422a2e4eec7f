"""An audit counts the log again, and names each row of the statistics that is not the sum (C-91)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from tests.application.statistics.audited import audited
from tests.application.statistics.pin_histories import Histories, Node
from tests.contracts.event_store.histories import step
from watchword.application.audit.differences import Difference, Kind
from watchword.application.ports.event_store import EventStore, Repair
from watchword.application.records.statistics import (
    StatisticsCostRow,
    StatisticsRefusalsRow,
    StatisticsRow,
    StatisticsUnfinishedRow,
)

EVERY: tuple[Any, ...] = (
    StatisticsRow,
    StatisticsCostRow,
    StatisticsUnfinishedRow,
    StatisticsRefusalsRow,
)


async def counted(store: EventStore) -> Histories:
    """Let some PINs live, be refused and be counted, so that every kind of row is there."""
    happening = Histories(store)
    await happening.begin()
    for number in range(7):
        await happening.step("create", number % 4, 1)
        await happening.step("dispatch", number, 0)
        await happening.step("refuse", number, 1)
    node = Node(store, happening.clock)
    while await node.follower.run_due():
        pass
    return happening


async def rows_of(store: EventStore, kind: Any) -> Sequence[Any]:
    """Return all rows of a kind."""
    async with store.snapshot() as snapshot:
        return [each.row async for each in snapshot.rows(kind)]


def named(found: Sequence[Difference]) -> list[tuple[Kind, str, object, object]]:
    """Return what matters of differences."""
    return [(each.kind, each.id, each.expected, each.found) for each in found]


async def test_changed_missing_and_stray_rows_are_named(store: EventStore) -> None:
    """By their keys, with the sums that differ; what the log says is no difference."""
    happening = await counted(store)
    before = await audited(store, happening.clock)
    (row, gone, *_), clock = await rows_of(store, StatisticsRow), happening.clock
    stray = evolve(row, key=row.key.replace(row.account_id, "acc_nowhere"))
    sums = {"sent": row.sent + 2, "blocked": 3}
    await store.append(
        step(
            repair=Repair(
                rows=(evolve(row, **sums), stray), stray_rows=((StatisticsRow, gone.key),)
            )
        )
    )
    found = await audited(store, clock)

    assert [] == before
    assert {row.key, gone.key, stray.key} == {each.id for each in found}
    expected = f"blocked {row.blocked}, sent {row.sent}"
    assert (Kind.STATISTICS, row.key, expected, f"blocked 3, sent {row.sent + 2}") in named(found)


async def test_each_kind_of_row_is_compared(store: EventStore) -> None:
    """Costs, unfinished sends and refusals are counted again, too."""
    happening = await counted(store)
    for kind in EVERY:
        every = await rows_of(store, kind)
        assert every, kind
        await store.append(step(repair=Repair(stray_rows=((kind, every[0].key),))))
        found = await audited(store, happening.clock)

        assert [every[0].key] == [each.id for each in found], kind
        await store.append(step(repair=Repair(rows=(every[0],))))


async def test_sends_that_expired_long_ago_need_no_row(store: EventStore) -> None:
    """The worker drops the rows of unfinished sends an hour after their second."""
    happening = await counted(store)
    gone = tuple(
        (StatisticsUnfinishedRow, each.key)
        for each in await rows_of(store, StatisticsUnfinishedRow)
    )
    happening.clock.move(2 * 86_400)
    with_them = await audited(store, happening.clock)
    await store.append(step(repair=Repair(stray_rows=gone)))

    assert [] == with_them
    assert [] == await audited(store, happening.clock)
