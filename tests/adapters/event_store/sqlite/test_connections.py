"""The SQLite store's connections: durable, with the write lock from the start, never left broken."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from watchword.adapters.event_store.sqlite.recorder import DurableDatastore, NotDurable
from watchword.application.ports.event_store import StoreUnavailable


def test_every_connection_is_durable(tmp_path: Path) -> None:
    """On each connection of the pool, a commit is on the disk before it returns."""
    datastore = DurableDatastore(f"file:{tmp_path / 'store.db'}?mode=rwc")
    found = []
    with ExitStack() as stack:
        for _ in range(8):
            connection = stack.enter_context(datastore.get_connection(commit=False))
            with connection.transaction(commit=False) as cursor:
                for pragma in ("synchronous", "journal_mode"):
                    cursor.execute(f"PRAGMA {pragma}")
                    found.append(cursor.fetchone()[0])
    datastore.close()

    assert [2, "wal"] * 8 == found


def test_the_log_is_copied_when_it_is_long(tmp_path: Path) -> None:
    """Commits leave their pages in the write-ahead log until there are 4,000."""
    path = tmp_path / "store.db"
    datastore = DurableDatastore(f"file:{path}?mode=rwc")
    with datastore.transaction(commit=True) as cursor:
        cursor.execute("CREATE TABLE pots (clay BLOB)")
    sizes = set()
    for _ in range(5):
        with datastore.transaction(commit=True) as cursor:
            cursor.execute("INSERT INTO pots VALUES (zeroblob(?))", (900 * 4096,))
        sizes.add(path.stat().st_size)
    datastore.close()

    # The file has only the first connection's pages, and then all of the log at once.
    small, large = sorted(sizes)
    assert small < 4 * 4096
    assert 4_000 * 4096 < large < 5_000 * 4096


def test_a_database_that_keeps_nothing_is_refused() -> None:
    """Without a write-ahead log nothing may be acknowledged: the store is unavailable."""
    datastore = DurableDatastore("file:forgetful?mode=memory")

    with pytest.raises(NotDurable), datastore.transaction(commit=True):
        pass
    assert issubclass(NotDurable, StoreUnavailable)
    datastore.close()


def test_a_write_transaction_has_the_write_lock_from_its_start(tmp_path: Path) -> None:
    """Nobody can change what a write transaction has read before it writes."""
    path = tmp_path / "store.db"
    datastore = DurableDatastore(f"file:{path}?mode=rwc")
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
        with (
            datastore.transaction(commit=True),
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("BEGIN IMMEDIATE")
        other.execute("BEGIN IMMEDIATE")
    datastore.close()


def test_a_failed_commit_leaves_the_connection_usable(tmp_path: Path) -> None:
    """A commit that the database refuses is rolled back, and the same connection goes on."""
    datastore = DurableDatastore(f"file:{tmp_path / 'store.db'}?mode=rwc")
    with datastore.get_connection(commit=True) as connection:
        connection.cursor().execute("PRAGMA foreign_keys=ON")
        with connection.transaction(commit=True) as cursor:
            cursor.execute("CREATE TABLE pot (id INTEGER PRIMARY KEY)")
            cursor.execute(
                "CREATE TABLE cup (pot INTEGER REFERENCES pot DEFERRABLE INITIALLY DEFERRED)"
            )
        with (
            pytest.raises(sqlite3.IntegrityError),
            connection.transaction(commit=True) as cursor,
        ):
            cursor.execute("INSERT INTO cup VALUES (1)")
        with connection.transaction(commit=True) as cursor:
            cursor.execute("INSERT INTO pot VALUES (2)")
            cursor.execute("SELECT (SELECT count(*) FROM pot), (SELECT count(*) FROM cup)")
            counts = tuple(cursor.fetchone())
    datastore.close()

    assert (1, 0) == counts


def test_a_failed_transaction_leaves_no_cursor_open(tmp_path: Path) -> None:
    """The event loop lets go of the error later, and must not wait for the connection then."""
    datastore = DurableDatastore(f"file:{tmp_path / 'store.db'}?mode=rwc")
    with datastore.get_connection(commit=True) as connection:
        connection.cursor().execute("BEGIN")
        with (
            pytest.raises(sqlite3.OperationalError, match="within") as failed,
            connection.transaction(commit=True),
        ):
            pass
        cursor = failed.traceback[-1].frame.f_locals["cursor"]
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            cursor.execute("SELECT 1")
    datastore.close()
