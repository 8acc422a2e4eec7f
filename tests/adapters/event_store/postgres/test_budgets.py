"""Budgets on PostgreSQL: exact between nodes, and the same as in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from random import Random
from typing import Any

import psycopg
import pytest

from tests.contracts.event_store.histories import NOON, grown, second, step
from tests.contracts.event_store.sample_people import ANNA, BERT
from tests.vaults import new_vault
from watchword.adapters.event_store.batch.facts import questions
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.event_store.postgres.batch import asking
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.ports.event_store import (
    Append,
    BudgetsMoved,
    EventStore,
    StoreRefusal,
)
from watchword.domain.conditions import (
    Condition,
    GiveBack,
    StartAnew,
    VerifiedAfter,
    Verifies,
    WithinBudget,
)
from watchword.domain.rate_limit import Rate

HOUR = timedelta(hours=1)
PEOPLE = (ANNA, BERT)


@pytest.fixture
async def nodes(postgres_url: str) -> AsyncIterator[tuple[PostgresEventStore, PostgresEventStore]]:
    """Yield two nodes on one database."""
    one = await PostgresEventStore.open(postgres_url, vault=new_vault())
    two = await PostgresEventStore.open(postgres_url, vault=new_vault())
    yield one, two
    await one.close()
    await two.close()


async def test_two_nodes_that_race_for_the_last_places_share_them_exactly(
    nodes: tuple[PostgresEventStore, PostgresEventStore],
) -> None:
    """Each place is taken once, and a place that is given back is taken once more."""
    places, verified = 40, 15
    budget = WithinBudget("prefix", Rate(f"{places}/1h"), NOON, "unverified.prefix")
    sends = [
        node.append(step(grown(f"key-{name}-{number}"), conditions=(budget,)))
        for number in range(100)
        for name, node in enumerate(nodes)
    ]
    first = await asyncio.gather(*sends, return_exceptions=True)
    back = step(conditions=(GiveBack("prefix", HOUR, NOON),))
    await asyncio.gather(*(nodes[each % 2].append(back) for each in range(verified)))
    more = [
        node.append(step(grown(f"key-again-{name}-{number}"), conditions=(budget,)))
        for number in range(50)
        for name, node in enumerate(nodes)
    ]
    then = await asyncio.gather(*more, return_exceptions=True)

    assert [places, verified] == [
        sum(not isinstance(each, Exception) for each in told) for told in (first, then)
    ]
    assert {BudgetsMoved} == {type(each) for each in (*first, *then) if isinstance(each, Exception)}
    assert places + verified == len(await nodes[0].read_log(0, 1000))


async def test_batches_decide_as_a_store_in_memory(postgres_url: str) -> None:
    """Of a thousand appends in batches, each is refused or accepted for the same reasons."""
    random = Random(24)
    appends = [_any_append(random) for _ in range(1000)]
    memory = MemoryEventStore(vault=new_vault())
    store = await PostgresEventStore.open(postgres_url, vault=new_vault())
    told = []
    for first in range(0, len(appends), 25):
        batch = appends[first : first + 25]
        told += await asyncio.gather(*(verdict(store, each) for each in batch))
    await store.close()

    assert [await verdict(memory, each) for each in appends] == told
    assert {None, "BudgetsMoved", "PassMoved"} < {each and each[0] for each in told}
    assert _tallies(memory) == _rows(postgres_url)


def test_a_batch_without_budgets_asks_for_no_tallies() -> None:
    """Its statement does not name their table."""
    look = WithinBudget("prefix", Rate("1/1h"), NOON, "rule", counted=False)
    without, _ = asking(questions([step(conditions=(Verifies(ANNA.person_id, NOON),))]))
    budgets, _ = asking(questions([step(conditions=(look,))]))

    assert "tallies" not in without
    assert "FROM tallies" in budgets


async def verdict(store: EventStore, append: Append) -> Any:
    """Return the refusal of an append with what it says; None if it is written."""
    try:
        await store.append(append)
    except StoreRefusal as refusal:
        return type(refusal).__name__, vars(refusal)
    return None


def _any_append(random: Random) -> Append:
    if random.random() < 0.05:
        return step(new_people=(random.choice(PEOPLE),))
    if random.random() < 0.02:
        return step(erasing=(random.choice(PEOPLE).person_id,))
    return step(conditions=tuple(_any_condition(random) for _ in range(random.randrange(1, 5))))


def _any_condition(random: Random) -> Condition:
    subject, at = random.choice(("prefix", "ip")), second(random.randrange(7200))
    person_id = random.choice(PEOPLE).person_id
    match random.randrange(12):
        case 0:
            return StartAnew(subject)
        case 1 | 2 | 3:
            return GiveBack(subject, HOUR, at)
        case 4:
            return VerifiedAfter(person_id, at, random.random() < 0.5)
        case 5:
            return Verifies(person_id, at + random.randrange(5) * timedelta(days=1))
        case 6:
            return WithinBudget(subject, Rate("8/1h"), at, "flag", over=True)
        case _:
            rate = Rate(f"{random.randrange(10, 20)}/1h")
            return WithinBudget(subject, rate, at, "send", random.random() < 0.8)


def _rows(url: str) -> Sequence[Any]:
    with psycopg.connect(url) as connection:
        return connection.execute(
            "SELECT subject, bucket, sent, verified FROM tallies ORDER BY 1, 2"
        ).fetchall()


def _tallies(memory: MemoryEventStore) -> Sequence[Any]:
    return [
        (subject, bucket, *tally)
        for subject, tallies in sorted(memory._facts.tallies.items())
        for bucket, tally in sorted(tallies.buckets.items())
    ]
