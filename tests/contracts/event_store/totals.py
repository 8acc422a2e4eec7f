"""The promises of every event store about totals: exact, also under concurrent appends (C-94)."""

from __future__ import annotations

import asyncio

import pytest

from tests.contracts.event_store.histories import FERN, ORCHID, grown, step
from watchword.application.ports.event_store import Append, EventStore, TotalReached
from watchword.domain.conditions import WithinTotal


def add(amount: int | None, most: int | None = 10, period: int = 0) -> Append:
    """Add to a total, and write nothing else."""
    return step(conditions=(WithinTotal("bytes", amount, most, period),))


async def total(store: EventStore) -> int:
    """Return the current total."""
    return await store.position("bytes")


class TotalsContract:
    """A total is exact: an append that would exceed `most` is refused completely."""

    async def test_a_total_reaches_its_most_and_no_more(self, store: EventStore) -> None:
        """An amount that fits is added; another changes nothing, and the refusal names its subject."""
        await store.append(add(4))
        await store.append(add(6))
        with pytest.raises(TotalReached) as reached:
            await store.append(step(grown(ORCHID), conditions=(WithinTotal("bytes", 1, 10),)))

        assert "bytes" == reached.value.subject
        assert 10 == await total(store)
        assert not await store.read_stream(ORCHID)

    async def test_what_is_given_back_is_free_again(self, store: EventStore) -> None:
        """The total never falls below zero, and giving back is never refused."""
        await store.append(add(10))
        await store.append(add(-4, most=None))
        await store.append(add(4))
        assert 10 == await total(store)

        await store.append(add(5, most=None))
        await store.append(add(-1))
        assert 14 == await total(store)

        await store.append(add(-99, most=None))
        assert 0 == await total(store)

    async def test_what_is_counted_alone_is_never_refused(self, store: EventStore) -> None:
        """It may exceed the limit of other appends, which are refused then."""
        await store.append(add(25, most=None))
        with pytest.raises(TotalReached):
            await store.append(add(1))

        assert 25 == await total(store)

    async def test_a_later_period_begins_at_nothing(self, store: EventStore) -> None:
        """An earlier one, of a clock that was set back, counts in the newest there was."""
        await store.append(add(9, period=7))
        await store.append(add(9, period=8))
        with pytest.raises(TotalReached):
            await store.append(add(2, period=7))
        await store.append(add(1, period=7))
        with pytest.raises(TotalReached):
            await store.append(add(1, period=8))

        assert 10 == await total(store)

    async def test_the_bytes_of_an_append_are_measured(self, store: EventStore) -> None:
        """An amount of None is what its events take; an append without events takes nothing."""
        await store.append(add(None, most=0))
        assert 0 == await total(store)
        await store.append(step(grown(ORCHID), conditions=(WithinTotal("bytes", None, None),)))
        first = await total(store)
        with pytest.raises(TotalReached):
            await store.append(
                step(grown(FERN), conditions=(WithinTotal("bytes", None, first + 9),))
            )

        assert 100 < first < 1_000
        assert first == await total(store)

    async def test_those_who_add_at_once_are_counted_one_after_the_other(
        self, store: EventStore
    ) -> None:
        """Twenty appends come together: as many hold as there is room for."""
        ended = await asyncio.gather(
            *(store.append(add(1)) for _ in range(20)), return_exceptions=True
        )

        assert 10 == sum(isinstance(each, TotalReached) for each in ended)
        assert 10 == await total(store)
