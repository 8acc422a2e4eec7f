"""PostgreSQL out of reach, silent, locked, or gone in the middle of a commit (R10, R11, C-65)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from time import monotonic
from typing import Any

import psycopg
import pytest

from tests.adapters.event_store.neighbours import waiting_for_its_turn
from tests.contracts.event_store.histories import NOON, grown, loaded, per_seconds, step
from tests.fakes.networks import Network, network
from watchword.adapters.event_store.batch.group_commit import ANSWER_SECONDS
from watchword.adapters.event_store.postgres import connections
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.ports.event_store import (
    Append,
    KeyAnswered,
    Reservation,
    StoreUnavailable,
)
from watchword.domain.accounts.api_key import api_key_decider
from watchword.domain.conditions import Condition, Hold, SoleHolder, WithinRate

IN_TIME = ANSWER_SECONDS + 0.5


@pytest.fixture
async def between(postgres_url: str) -> AsyncIterator[Network]:
    """Yield what stands between the store and its database."""
    async with network(postgres_url) as relay:
        yield relay


@pytest.fixture
async def store(between: Network) -> AsyncIterator[PostgresEventStore]:
    """Yield a store that reaches its database by way of it."""
    opened = await PostgresEventStore.open(between.url)
    yield opened
    await opened.close()


async def refused_in_time(store: PostgresEventStore, append: Append) -> None:
    """Check that append and load are refused within the time limit of an answer."""

    async def timed(call: object) -> float:
        began = monotonic()
        with pytest.raises(StoreUnavailable):
            await call  # type: ignore[misc]  # either of two awaitables
        return monotonic() - began

    took = await asyncio.gather(
        timed(store.append(append)), timed(store.load(api_key_decider, "key-fern"))
    )
    assert max(took) < IN_TIME


async def test_a_lost_reply_to_a_commit(store: PostgresEventStore, between: Network) -> None:
    """The replies of 100 commits are lost: each append still gets its positions, and happened once."""
    told: list[int] = []
    for number in range(100):
        between.losing = 1
        told += await store.append(step(grown(f"key-{number}")))

    assert 100 == between.lost
    assert list(range(1, 101)) == told
    assert told == [each.position for each in await store.read_log(0, 1000)]


async def test_a_lost_connection_takes_what_is_remembered_with_it(
    store: PostgresEventStore, between: Network
) -> None:
    """A lost database may have lost commits, so remembered states are discarded (D-118)."""
    await store.append(step(grown("key-fern")))
    remembered = store.recall("key-fern")
    between.losing = 1
    await store.append(step(grown("key-moss")))

    assert loaded("key-fern", 1) == remembered
    assert store.recall("key-fern") is None
    assert loaded("key-fern", 1) == await store.load(api_key_decider, "key-fern")


async def test_a_lost_reply_without_events(store: PostgresEventStore, between: Network) -> None:
    """An append without events is recognised too: a key is taken and answered, a use counted once."""
    mine = Reservation(scope="pins:key-1", fingerprints=("tea",), owner="one")
    for append in (
        step(taking=mine),
        step(conditions=(WithinRate("sends:tea", per_seconds(2), NOON),)),
        step(completing=mine, answer=b"tea"),
    ):
        between.losing = 1
        await store.append(append)
    await store.append(step(conditions=(WithinRate("sends:tea", per_seconds(2), NOON),)))

    assert 3 == between.lost
    with pytest.raises(KeyAnswered):
        await store.check_key(mine, NOON)


async def test_late_ones_in_a_lost_reply(
    store: PostgresEventStore, between: Network, postgres_url: str
) -> None:
    """Late appends of a batch whose reply is lost get their results like the others."""
    await store.append(step(grown("key-fern")))
    with psycopg.connect(postgres_url) as other:
        first = await waiting_for_its_turn(store, step(grown("key-moss")), other)
        late = asyncio.create_task(store.append(step(grown("key-orchid"))))
        await asyncio.sleep(0)
        between.losing = 1

    assert [[2], [3]] == [list(await first), list(await late)]
    assert 1 == between.lost
    assert [1, 2, 3] == [each.position for each in await store.read_log(0, 10)]


async def test_many_at_once_in_a_lost_reply(store: PostgresEventStore, between: Network) -> None:
    """Two appends to one stream: exactly one holds, and nothing is written twice."""
    between.losing = 3
    told = await asyncio.gather(
        *(store.append(step(grown(f"key-{number % 50}"))) for number in range(100)),
        return_exceptions=True,
    )
    log = await store.read_log(0, 1000)

    assert 50 == len(log) == len({each.stream for each in log})
    assert 50 == sum(not isinstance(each, Exception) for each in told)


@pytest.mark.parametrize("bad", ["\x00", "\ud83c"])
async def test_what_the_database_refuses(store: PostgresEventStore, bad: str) -> None:
    """An append with a character that no text can hold is refused alone; its neighbours are written."""
    told = await asyncio.gather(
        *(
            store.append(step(grown(f"key-{number}"), conditions=(Hold(f"tea{text}", "fern"),)))
            for number, text in enumerate((bad, *"\x01\x02\x03\x04\x05\x06\x07"))
        ),
        return_exceptions=True,
    )

    assert isinstance(told[0], StoreUnavailable)
    assert [[each] for each in range(1, 8)] == [list(each) for each in told[1:]]  # type: ignore[arg-type]  # none of these is an exception


@pytest.mark.parametrize("condition", [SoleHolder("tea\x00", "fern"), Hold("tea\x00", "fern")])
async def test_a_late_one_that_the_database_refuses(
    store: PostgresEventStore, postgres_url: str, condition: Condition
) -> None:
    """A refused late append is refused alone, in the read or in the write: the others hold."""
    await store.append(step(grown("key-fern")))
    with psycopg.connect(postgres_url) as other:
        first = await waiting_for_its_turn(store, step(grown("key-moss")), other)
        bad = asyncio.create_task(store.append(step(conditions=(condition,))))
        late = asyncio.create_task(store.append(step(grown("key-orchid"))))
        await asyncio.sleep(0)

    with pytest.raises(StoreUnavailable):
        await bad
    assert [[2], [3]] == [list(await first), list(await late)]


async def test_a_database_that_is_away(store: PostgresEventStore, between: Network) -> None:
    """Every call is refused in time; the first one after the database's return succeeds."""
    await store.append(step(grown("key-fern")))
    await between.end()
    for _ in range(3):
        await refused_in_time(store, step(grown("key-moss")))
    await between.begin()
    await store.append(step(grown("key-fern", at=1)))

    assert loaded("key-fern", 2) == await store.load(api_key_decider, "key-fern")


async def test_a_database_that_was_started_anew(
    store: PostgresEventStore, between: Network, postgres_url: str
) -> None:
    """Lost connections cost no caller its answer."""
    await store.append(step(grown("key-fern")))
    await store.load(api_key_decider, "key-fern")
    with psycopg.connect(postgres_url, autocommit=True) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = 'watchword'"
        )

    assert loaded("key-fern", 1) == await store.load(api_key_decider, "key-fern")
    assert [2] == list(await store.append(step(grown("key-fern", at=1))))


async def test_a_database_that_is_silent(store: PostgresEventStore, between: Network) -> None:
    """No caller waits longer than for an answer; afterwards the store works again."""
    await store.append(step(grown("key-fern")))
    between.silent = True
    await refused_in_time(store, step(grown("key-moss")))
    between.silent = False
    await store.append(step(grown("key-fern", at=1)))

    assert loaded("key-fern", 2) == await store.load(api_key_decider, "key-fern")


async def test_a_stop_while_the_database_is_silent(between: Network) -> None:
    """No call waits for the database longer than for an answer, whatever is under way."""
    store = await PostgresEventStore.open(between.url)
    await store.append(step(grown("key-fern")))
    await store.load(api_key_decider, "key-fern")
    between.silent = True
    under_way = asyncio.gather(
        store.append(step(grown("key-moss"))),
        store.load(api_key_decider, "key-fern"),
        return_exceptions=True,
    )
    await asyncio.sleep(0)
    began = monotonic()
    await store.close()

    assert monotonic() - began < IN_TIME
    assert [StoreUnavailable] * 2 == [type(each) for each in await under_way]


@pytest.mark.parametrize(
    ("module", "call"),
    [
        ("connections", lambda store: store.sealed_log.sealed_size()),
        ("line", lambda store: store.append(step(grown("key-moss")))),
    ],
)
async def test_a_stop_while_a_new_connection_hears_nothing(
    between: Network,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    call: Callable[[PostgresEventStore], Awaitable[object]],
) -> None:
    """The first statement on a connection is cut short, too, on threads and on the event loop."""
    adapt = connections.adapt

    def silenced(connection: psycopg.BaseConnection[Any]) -> None:
        adapt(connection)
        between.silent = True

    store = await PostgresEventStore.open(between.url)
    await store.append(step(grown("key-fern")))
    await between.end()
    await between.begin()
    monkeypatch.setattr(f"watchword.adapters.event_store.postgres.{module}.adapt", silenced)
    under_way = asyncio.ensure_future(call(store))
    async with asyncio.timeout(IN_TIME):
        while not between.silent:  # noqa: ASYNC110  a thread makes it come true
            await asyncio.sleep(0.01)
    began = monotonic()
    await store.close()

    assert monotonic() - began < IN_TIME
    with pytest.raises(StoreUnavailable):
        await under_way


async def test_a_table_that_somebody_locks(store: PostgresEventStore, postgres_url: str) -> None:
    """The same under a foreign session's exclusive lock."""
    await store.append(step(grown("key-fern")))
    with psycopg.connect(postgres_url) as foreign:
        foreign.execute("LOCK TABLE stored_events IN ACCESS EXCLUSIVE MODE")
        await refused_in_time(store, step(grown("key-moss")))
    await store.append(step(grown("key-fern", at=1)))

    assert loaded("key-fern", 2) == await store.load(api_key_decider, "key-fern")


async def test_a_batch_that_fails_here_holds_up_no_other_node(postgres_url: str) -> None:
    """A failure between its round trips makes a batch release the lock."""

    def broken() -> float:
        raise ArithmeticError

    failing = await PostgresEventStore.open(postgres_url, real_time=broken)
    other = await PostgresEventStore.open(postgres_url)
    with pytest.raises(ArithmeticError):
        await failing.append(step(grown("key-fern")))

    assert [1] == list(await other.append(step(grown("key-moss"))))
    await other.close()
    await failing.close()
