"""A file that Litestream replicates is no other file (D-569)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from watchword.adapters.event_store.sqlite.store import SqliteEventStore

# The statements of Litestream 0.5; tests/deploy/litestream.py runs the program itself.
_MADE = (
    "CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);",
    "CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);",
)


async def flaws_of(path: Path, *statements: str) -> list[str]:
    """Return the differences of a new store's file after some statements, by their names."""
    store = await SqliteEventStore.open(path)
    try:
        with closing(sqlite3.connect(path)) as connection, connection:
            for each in statements:
                connection.execute(each)
        async with store.snapshot() as snapshot:
            return [each.name for each in await snapshot.flaws()]
    finally:
        await store.close()


async def test_the_tables_of_litestream_are_no_difference(tmp_path: Path) -> None:
    """Those that it makes, as it makes them."""
    assert [] == await flaws_of(tmp_path / "store.db", *_MADE)


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        (
            "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER, x)",
            "_litestream_seq",
        ),
        ("CREATE TABLE _litestream_more (id INTEGER)", "_litestream_more"),
        (
            "CREATE VIEW _litestream_lock AS SELECT 1 AS id",
            "_litestream_lock",
        ),
    ],
)
async def test_what_only_has_such_a_name_is_found(
    statement: str, name: str, tmp_path: Path
) -> None:
    """Another column, another table or a view hides nothing under a known name."""
    assert [name] == await flaws_of(tmp_path / "store.db", statement)
