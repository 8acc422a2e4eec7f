"""Differences between a PostgreSQL store and one that the code creates are named (C-91)."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from attrs import evolve
from psycopg.conninfo import make_conninfo

from tests.contracts.event_store.sample_rows import CALLBACK_DELIVERY, written
from tests.databases import Databases, run
from tests.vaults import new_vault
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.ports.snapshot import Flaw
from watchword.application.records.callback_delivery import CallbackDeliveryRow


@pytest.fixture
def own_url(postgres_server: Databases) -> Iterator[str]:
    """Return the URL of a database that no other test gets, since its tables are changed."""
    url = postgres_server.new()
    yield url
    postgres_server.drop(url)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("DROP INDEX messages_by_time", ("Index", "messages_by_time", "missing")),
        ("ALTER TABLE uses ADD COLUMN tea text", ("Column", "uses.tea", None)),
        ("ALTER TABLE messages DROP COLUMN campaign", ("Column", "messages.campaign", "missing")),
        (
            "ALTER TABLE uses ALTER COLUMN at DROP NOT NULL",
            ("Column", "uses.at", "character varying"),
        ),
        ("CREATE TABLE tea (pot text)", ("Table", "tea", None)),
        ("DROP TABLE seal_keys", ("Table", "seal_keys", "missing")),
        ("CREATE RULE tea AS ON INSERT TO uses DO INSTEAD NOTHING", ("Rule", "uses.tea", None)),
        (
            "CREATE TRIGGER tea BEFORE UPDATE ON uses"
            " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
            ("Trigger", "uses.tea", None),
        ),
        (
            "ALTER TABLE uses RENAME TO tea; CREATE VIEW uses AS SELECT * FROM tea",
            ("Table", "uses", "not a table"),
        ),
        ("ALTER TABLE uses ENABLE ROW LEVEL SECURITY", ("Table", "uses", "row security")),
        (
            "DROP INDEX messages_by_time; CREATE INDEX messages_by_time ON messages (id)",
            ("Index", "messages_by_time", "on messages (id)"),
        ),
    ],
)
async def test_a_changed_database_is_named(
    own_url: str, change: str, named: tuple[str, str, str | None]
) -> None:
    """A flaw names its kind, its object, and the value found; a new store has no flaw."""
    store = await PostgresEventStore.open(own_url)
    await store.close()
    with psycopg.connect(own_url, autocommit=True) as connection:
        connection.execute(change.encode())
    store = await PostgresEventStore.open(own_url, read_only=True)
    try:
        async with store.snapshot() as snapshot:
            flaws = [
                (each.what, each.name, each.found if named[2] else None)
                for each in await snapshot.flaws()
            ]
    finally:
        await store.close()

    assert named in flaws


async def test_tables_from_before_a_column_get_it(own_url: str) -> None:
    """The next node adds what rows can be without, keeps the rows, and an audit finds nothing (D-495)."""
    delivery = evolve(CALLBACK_DELIVERY, last_answer=None)
    vault = new_vault()
    first = await PostgresEventStore.open(own_url, vault=vault)
    await written(first, [delivery])
    await first.close()
    run(own_url, "ALTER TABLE callback_deliveries DROP COLUMN sealed_changing")
    again = await PostgresEventStore.open(own_url, vault=vault)
    try:
        async with again.snapshot() as snapshot:
            assert [] == await snapshot.flaws()
        assert delivery == await again.row(CallbackDeliveryRow, delivery.id)
        changed = evolve(delivery, last_answer="tea is out")
        await written(again, [changed])
        assert changed == await again.row(CallbackDeliveryRow, delivery.id)
    finally:
        await again.close()


async def test_a_setting_that_loses_commits_is_named(own_url: str) -> None:
    """A database that acknowledges before its disk has the data has this flaw and no other (R11)."""
    store = await PostgresEventStore.open(own_url)
    await store.close()
    forgetful = make_conninfo(own_url, options="-c synchronous_commit=off")
    store = await PostgresEventStore.open(forgetful, read_only=True)
    try:
        async with store.snapshot() as snapshot:
            flaws = await snapshot.flaws()
    finally:
        await store.close()

    assert [Flaw("Setting", "synchronous_commit", "", "on", "off")] == flaws
