"""The settings of a node's sessions, and what happens when PostgreSQL refuses (R10, R21)."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from psycopg.conninfo import make_conninfo

from tests.contracts.event_store.histories import grown, step
from tests.databases import run
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.ports.event_store import StoreUnavailable
from watchword.domain.conditions import SoleHolder

REFUSING = """
CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{}'; END $$;
CREATE TRIGGER refusing BEFORE INSERT ON stored_events EXECUTE FUNCTION refuse()
"""


async def test_a_node_that_stands_still_in_its_turn(postgres_url: str) -> None:
    """The other nodes are refused in time; after 5 s the database ends the lock, and nothing is written."""
    stands, go_on = threading.Event(), threading.Event()

    def stand_still() -> float:
        stands.set()
        go_on.wait()
        return time.time()

    async def other_process() -> list[int]:
        still = await PostgresEventStore.open(postgres_url, real_time=stand_still)
        try:
            with pytest.raises(StoreUnavailable):
                await still.append(step(grown("key-fern", by=2)))
            return list(await still.append(step(grown("key-orchid"))))
        finally:
            await still.close()

    other = await PostgresEventStore.open(postgres_url)
    # With an event loop of its own, as it is the loop that stands still.
    late = asyncio.create_task(asyncio.to_thread(asyncio.run, other_process()))
    try:
        await asyncio.to_thread(stands.wait)
        with pytest.raises(StoreUnavailable):
            await other.append(step(grown("key-moss")))
        assert [1] == list(await other.append(step(grown("key-moss"))))
        go_on.set()
        assert [2] == await late
        assert ["key-moss", "key-orchid"] == [each.stream for each in await other.read_log(0, 10)]
    finally:
        go_on.set()
        await other.close()


async def test_a_database_with_another_isolation_by_default(postgres_url: str) -> None:
    """A batch reads the facts as they are when it has the lock, not as they were when it began to wait."""
    default = r"-c default_transaction_isolation=repeatable\ read"
    url = make_conninfo(postgres_url, options=default)
    nodes = [await PostgresEventStore.open(url) for _ in range(2)]
    try:
        told = await asyncio.gather(
            *(
                node.append(step(conditions=(SoleHolder(f"tea-{number}", f"node-{name}"),)))
                for number in range(50)
                for name, node in enumerate(nodes)
            ),
            return_exceptions=True,
        )
    finally:
        for node in nodes:
            await node.close()

    assert 50 == sum(not isinstance(each, Exception) for each in told)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("53100", "DiskFull"),
        ("25006", "ReadOnlySqlTransaction"),
        ("40001", "SerializationFailure"),
        ("57014", "QueryCanceled"),
    ],
)
async def test_what_the_server_cannot_do_now(postgres_url: str, state: str, said: str) -> None:
    """A full disk or a read-only server is reported as such, and tried again on a new session."""
    store = await PostgresEventStore.open(postgres_url)
    await store.append(step(grown("key-fern")))
    run(postgres_url, REFUSING.format(state))
    try:
        with pytest.raises(StoreUnavailable) as refused:
            await store.append(step(grown("key-fern", at=1)))
    finally:
        run(postgres_url, "DROP FUNCTION refuse CASCADE")

    assert said == refused.value.reason
    assert [2] == list(await store.append(step(grown("key-fern", at=1))))
    await store.close()
