"""Several nodes on one PostgreSQL: started at once, writing at once, read along (C-2, R24)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from tests.adapters.event_store.neighbours import waiting_for_its_turn
from tests.contracts.event_store.histories import NOON, ORCHID, grown, per_seconds, step
from tests.databases import run
from tests.vaults import new_vault
from watchword.adapters.event_store.postgres import recorder
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.ports.event_store import (
    KeyInProgress,
    RateReached,
    Reservation,
    StoreUnavailable,
    StreamConflict,
)
from watchword.domain.conditions import WithinRate

Nodes = tuple[PostgresEventStore, PostgresEventStore]


@pytest.fixture
async def nodes(postgres_url: str) -> AsyncIterator[Nodes]:
    """Yield two nodes whose leases go by the database's clock, as in a service."""
    one = await PostgresEventStore.open(postgres_url, vault=new_vault())
    two = await PostgresEventStore.open(postgres_url, vault=new_vault())
    yield one, two
    await one.close()
    await two.close()


async def test_four_nodes_start_on_an_empty_database(postgres_url: str) -> None:
    """Twenty times: every node starts, and there is one schema."""
    schemas = set()
    for _ in range(20):
        run(postgres_url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        stores = await asyncio.gather(*(PostgresEventStore.open(postgres_url) for _ in range(4)))
        for number, store in enumerate(stores):
            await store.append(step(grown(f"key-{number}")))
        schemas.add(relations(postgres_url))
        for store in stores:
            await store.close()

    assert 1 == len(schemas)


async def test_who_reads_along_misses_nothing(nodes: Nodes) -> None:
    """While two nodes append, a reader of the log sees every position once, in order."""
    count = 500
    writing = asyncio.gather(
        *(
            node.append(step(grown(f"key-{name}-{number}")))
            for name, node in enumerate(nodes)
            for number in range(count)
        )
    )
    seen: list[int] = []
    while len(seen) < 2 * count:
        after = seen[-1] if seen else 0
        seen += [each.position for each in await nodes[0].read_log(after, 100)]
    told = [position for (position,) in await writing]

    assert list(range(1, 2 * count + 1)) == seen == sorted(told)


async def test_of_two_nodes_one_wins_a_version(nodes: Nodes) -> None:
    """Two nodes append to one version of a stream: exactly one append holds."""
    told = await asyncio.gather(
        *(
            node.append(step(grown(f"key-{number}", by=1 + name)))
            for number in range(50)
            for name, node in enumerate(nodes)
        ),
        return_exceptions=True,
    )
    log = await nodes[1].read_log(0, 1000)

    assert 50 == sum(not isinstance(each, Exception) for each in told)
    assert {f"key-{number}" for number in range(50)} == {each.stream for each in log}
    assert list(range(1, len(log) + 1)) == [each.position for each in log]


async def test_who_comes_while_a_node_waits_for_its_turn_is_written_with_it(
    postgres_url: str,
) -> None:
    """Appends that form behind a batch, as long as another node has the turn, share its commit."""
    commits: list[int] = []
    node = await PostgresEventStore.open(
        postgres_url, wrote=[lambda count, _: commits.append(count)]
    )
    await node.append(step(grown(ORCHID)))
    limit = WithinRate("sends:tea", per_seconds(2), NOON)
    with psycopg.connect(postgres_url) as other:
        first = await waiting_for_its_turn(node, step(grown("key-1"), conditions=(limit,)), other)
        late = [
            asyncio.create_task(node.append(each))
            for each in (
                step(grown("key-2"), conditions=(limit,)),
                step(grown("key-3"), conditions=(limit,)),
                step(grown(ORCHID, at=1)),
                step(grown("key-1")),
            )
        ]
        await asyncio.sleep(0)
    told = await asyncio.gather(first, *late, return_exceptions=True)

    assert [1, 5] == commits
    assert [[2], [3], [4]] == [list(told[each]) for each in (0, 1, 3)]  # type: ignore[arg-type]  # these hold
    assert [RateReached, StreamConflict] == [type(told[each]) for each in (2, 4)]
    await node.close()


async def test_who_had_its_turn_soon_asks_for_nobody(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that hardly waits writes alone: later work forms a batch of its own."""
    monkeypatch.setattr(recorder, "_WAITED", 60.0)
    commits: list[int] = []
    node = await PostgresEventStore.open(
        postgres_url, wrote=[lambda count, _: commits.append(count)]
    )
    with psycopg.connect(postgres_url) as other:
        first = await waiting_for_its_turn(node, step(grown("key-1")), other)
        late = [asyncio.create_task(node.append(step(grown(f"key-{number}")))) for number in (2, 3)]
        await asyncio.sleep(0)
    await asyncio.gather(first, *late)

    assert [1, 2] == commits
    await node.close()


async def test_a_lease_is_seen_by_every_node(nodes: Nodes) -> None:
    """A lease uses the database's time; the nodes' own clocks do not matter."""
    one, two = nodes
    mine = Reservation(scope="pins:key-1", fingerprints=("tea",), owner="one")
    await one.append(step(taking=mine))
    for ask in (two.check_key(mine, NOON), two.append(step(taking=mine))):
        with pytest.raises(KeyInProgress) as progress:
            await ask
        assert 20 < progress.value.seconds_left <= 30


async def test_a_reader_takes_no_part(nodes: Nodes, postgres_url: str) -> None:
    """A store that is opened for reading reads beside the nodes, and writes nothing."""
    await nodes[0].append(step(grown("key-fern")))
    reader = await PostgresEventStore.open(postgres_url, read_only=True)
    try:
        assert 1 == len(await reader.read_log(0, 10))
        for write in (reader.append(step()), reader.keep_setting("tea", "green")):
            with pytest.raises(StoreUnavailable):
                await write
    finally:
        await reader.close()


async def test_a_reader_makes_no_store(postgres_url: str) -> None:
    """A reader of a database without a store is refused, and changes nothing."""
    run(postgres_url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    with pytest.raises(StoreUnavailable, match="no store in this database"):
        await PostgresEventStore.open(postgres_url, read_only=True)

    assert () == relations(postgres_url)


async def test_a_schema_has_whatever_name_it_has(postgres_url: str) -> None:
    """Capitals and blanks in its name change nothing, at the second start either."""
    run(postgres_url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA "Orchid Pins"')
    there = make_conninfo(postgres_url, options=r'-c search_path="Orchid\ Pins"')
    for version in (0, 1):
        store = await PostgresEventStore.open(there)
        await store.append(step(grown("key", at=version)))
        await store.close()
    run(postgres_url, 'DROP SCHEMA "Orchid Pins" CASCADE; CREATE SCHEMA public')


async def test_a_newer_store_is_left_alone(nodes: Nodes, postgres_url: str) -> None:
    """A node of an older release does not start."""
    await nodes[0].keep_setting("schema", "1000")
    with pytest.raises(StoreUnavailable, match="another release"):
        await PostgresEventStore.open(postgres_url, vault=new_vault())


async def test_a_store_from_before_the_first_release_is_refused(
    nodes: Nodes, postgres_url: str
) -> None:
    """Its form has no way over; the refusal says which versions wrote it."""
    await nodes[0].keep_setting("schema", "1")
    for read_only in (False, True):
        with pytest.raises(StoreUnavailable, match=r"before 0\.1, with schema 1\..* no way over"):
            await PostgresEventStore.open(postgres_url, read_only=read_only)


async def test_a_position_is_never_used_twice(nodes: Nodes, postgres_url: str) -> None:
    """The newest events are deleted by hand; the next event still gets a position of its own (D-315)."""
    assert [1, 2, 3] == list(await nodes[0].append(step(grown("key", by=3))))
    run(postgres_url, "DELETE FROM stored_events WHERE notification_id > 1")

    assert [4] == list(await nodes[1].append(step(grown("other"))))


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [("synchronous_commit=off", "synchronous_commit is off. Turn it on")],
)
async def test_a_database_that_forgets_is_refused(
    postgres_url: str, setting: str, sentence: str
) -> None:
    """Nothing is acknowledged on a database that acknowledges before it has written (R11)."""
    forgetful = make_conninfo(postgres_url, options=f"-c {setting}")
    with pytest.raises(StoreUnavailable, match=sentence):
        await PostgresEventStore.open(forgetful)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://pin:hush@127.0.0.1:1/pins",
        "postgresql://pin:hush%zz@127.0.0.1:1/pins",
        "postgresql://pin@127.0.0.1:1/pins?password=hush",
        "postgresql://pin@127.0.0.1:1/pins?hush",
    ],
)
async def test_a_password_is_never_shown(url: str) -> None:
    """A URL that cannot be reached, or read, is reported without its password."""
    with pytest.raises(StoreUnavailable) as refused:
        await PostgresEventStore.open(url)

    assert "hush" not in str(refused.value)
    assert "hush" not in refused.value.reason


def relations(url: str) -> tuple[str, ...]:
    """Name the tables and indexes."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"
        )
        return tuple(str(name) for (name,) in found)
