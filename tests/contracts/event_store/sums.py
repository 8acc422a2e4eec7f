"""The promises of every event store about sums over the rows of a read model (D-406)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from tests.contracts.event_store.histories import NOON, step
from tests.contracts.event_store.sample_statistics import COST, REFUSALS
from watchword.application.ports.event_store import Checkpoint, EventStore
from watchword.application.ports.listings import (
    AtLeast,
    Below,
    Equals,
    Start,
    Sum,
    TooManyTotals,
    Total,
)
from watchword.application.records.read_model import Row
from watchword.application.records.statistics import StatisticsCostRow, StatisticsRefusalsRow

DAY, HOUR = Start("at", 10), Start("at", 13)
LATER = NOON + timedelta(hours=1)
REFUSED = Sum(rows=StatisticsRefusalsRow, by=(HOUR, "country"), add=("refused",))


def refused(key: str, number: int, **more: object) -> Row:
    """Return a row with a number of refusals."""
    return evolve(REFUSALS, key=key, refused=number, **more)  # type: ignore[arg-type]  # fields by name


async def rows(store: EventStore, *rows: Row) -> None:
    """Append rows."""
    await store.append(step(rows=rows, checkpoints=(Checkpoint("counted", 0, 7),)))


class SumsContract:
    """Sums are exact, and come with the position that they belong to."""

    async def test_numbers_are_added_by_what_rows_have(self, store: EventStore) -> None:
        """A missing value is one of its own, and a time counts by its beginning."""
        await rows(
            store,
            refused("a", 2**40),
            refused("b", 1),
            refused("c", 3, country=None),
            refused("d", 5, at=LATER),
        )
        found = await store.totals("counted", [REFUSED], 10)

        assert {
            Total(("2031-05-04T12", "GB"), (2**40 + 1,)),
            Total(("2031-05-04T12", None), (3,)),
            Total(("2031-05-04T13", "GB"), (5,)),
        } == set(found.totals[0])
        assert 7 == found.position

    async def test_only_rows_in_the_range_count(self, store: EventStore) -> None:
        """The first time is in the range, and the last is not."""
        await rows(store, refused("a", 1), refused("b", 2, at=LATER), refused("c", 4, rule="x"))
        where = (Equals("rule", REFUSALS.rule), AtLeast("at", NOON), Below("at", LATER))
        found = await store.totals("counted", [evolve(REFUSED, by=(DAY,), where=where)], 10)

        assert [Total(("2031-05-04",), (1,))] == list(found.totals[0])

    async def test_all_times_are_one_for_a_whole_range(self, store: EventStore) -> None:
        """A beginning without characters adds the rows of all times, and is told as missing."""
        await rows(store, refused("a", 1), refused("b", 2, at=LATER), refused("c", 4, country=None))
        whole = evolve(REFUSED, by=(Start("at", 0), "country"))
        found = await store.totals("counted", [whole], 10)

        assert {Total((None, "GB"), (3,)), Total((None, None), (4,))} == set(found.totals[0])

    async def test_several_sums_are_answered_at_once(self, store: EventStore) -> None:
        """Each has its own rows, keys and numbers; one without rows has no total."""
        await rows(store, refused("a", 1), COST)
        costs = Sum(rows=StatisticsCostRow, by=("currency", "basis"), add=("whole", "fraction"))
        none = evolve(REFUSED, where=(Equals("rule", "none"),))
        found = await store.totals("nothing", [REFUSED, costs, none], 2)

        assert 0 == found.position
        assert [Total(("2031-05-04T12", "GB"), (1,))] == list(found.totals[0])
        assert [Total(("EUR", "told"), (2**40, 1))] == list(found.totals[1])
        assert [] == list(found.totals[2])

    async def test_an_answer_is_bounded(self, store: EventStore) -> None:
        """More combinations than are allowed are refused, and not cut off."""
        await rows(store, refused("a", 1), refused("b", 2, at=LATER))
        assert 2 == len((await store.totals("counted", [REFUSED], 2)).totals[0])
        with pytest.raises(TooManyTotals):
            await store.totals("counted", [REFUSED], 1)
