"""
The SQLite recorder of `eventsourcing`, with durable connections; it writes whole batches.

The library's own connections never set `synchronous`, and begin transactions without the write lock.
These check the first and take the second, so that reads in a write transaction stay valid.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
)

from ....application.ports.event_store import (
    StoreRefusal,
    StoreUnavailable,
)
from ..batch.facts import questions
from ..batch.packed_append import PackedAppend
from ..batch.settling import settle
from ..rows.row_shape import RowShape
from .batch import read_facts, write_batch

BUSY_SECONDS = 5
_FULL = 2
# A commit copies the write-ahead log into the database once it has 16 MiB, and no other commit runs
# meanwhile. A page that many commits wrote is copied once. With SQLite's default of 4 MiB there were twenty
# copies a second under full load, a tenth of the time. With 64 MiB each took 30 ms and more, which clients
# notice.
_LOG_PAGES = 4_000


def database_uri(path: Path, mode: str) -> str:
    """Return the URI of a database file; `mode` is SQLite's (`ro`, `rw`, `rwc`)."""
    return f"file:{quote(str(path))}?mode={mode}"


class NotDurable(StoreUnavailable):
    """The database file may lose commits, so no write to it may be acknowledged."""


class DurableConnection(SQLiteConnection):
    """A connection whose write transactions hold the write lock from their first statement."""

    def __init__(self, connection: sqlite3.Connection, max_age: float | None) -> None:
        super().__init__(connection, max_age)
        self._connection = connection

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """Run a transaction; a failed one is rolled back, so that the connection stays usable."""
        cursor = self._connection.cursor()
        try:
            cursor.execute("BEGIN IMMEDIATE" if commit else "BEGIN")
            yield SQLiteCursor(cursor)
            if commit:
                self._connection.commit()
        finally:
            # The traceback of an error keeps the cursor alive until the event loop frees it. Freeing an
            # open cursor would make the loop wait for the connection's current statement.
            cursor.close()
            self._leave()

    def _leave(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.rollback()
        except sqlite3.Error:
            # Its state is unknown: the pool opens another connection.
            self.close()
            raise


class DurablePool(SQLiteConnectionPool):
    """Opens connections with WAL and `synchronous=FULL`, and checks both."""

    def __init__(self, uri: str, *, read_only: bool) -> None:
        self._read_only = read_only
        super().__init__(db_name=uri)

    def _create_connection(self) -> SQLiteConnection:
        connection = sqlite3.connect(
            self.db_name,
            uri=True,
            check_same_thread=False,
            isolation_level=None,
            cached_statements=256,
            timeout=BUSY_SECONDS,
        )
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return DurableConnection(connection, self.max_age)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA synchronous=FULL")
        # Keeps statement journals in memory: on disk they took half of a commit's time.
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute(f"PRAGMA wal_autocheckpoint={_LOG_PAGES}")
        # Overwrites deleted data, such as seal keys; many builds of SQLite would leave it on disk (D-38).
        connection.execute("PRAGMA secure_delete=ON")
        mode = "" if self._read_only else "=WAL"
        (journal,) = connection.execute(f"PRAGMA journal_mode{mode}").fetchone()
        (synchronous,) = connection.execute("PRAGMA synchronous").fetchone()
        if not self._read_only and (journal.lower() != "wal" or synchronous < _FULL):
            raise NotDurable(f"journal_mode is {journal}, synchronous is {synchronous}")


class DurableDatastore(SQLiteDatastore):
    """
    The library's datastore with durable connections, and texts as stream ids.

    Writers of this process wait for each other here, and readers do not wait: under the library's own
    lock, every read waited for a writer that waited for the file.
    """

    def __init__(self, uri: str, *, read_only: bool = False) -> None:
        super().__init__(uri, originator_id_type="text")
        self.pool.close()
        self.pool = DurablePool(uri, read_only=read_only)
        self._writing = threading.Lock()

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        """Yield a connection, one at a time for writing; raises `StoreUnavailable` after waiting 5 s."""
        if commit and not self._writing.acquire(timeout=BUSY_SECONDS):
            raise StoreUnavailable("Another write takes too long.")
        try:
            connection = self.pool.get_connection()
            try:
                yield connection
            finally:
                self.pool.put_connection(connection)
        finally:
            if commit:
                self._writing.release()


class BatchRecorder(SQLiteApplicationRecorder):
    """
    Writes a whole batch in one transaction; refused appends change nothing.

    `shapes` holds the shape of each read model's rows by table name.
    """

    def __init__(self, datastore: DurableDatastore, shapes: Mapping[str, RowShape]) -> None:
        super().__init__(datastore)
        self._shapes = shapes

    def construct_create_table_statements(self) -> list[str]:
        """
        Return the statement that creates the log, in the place of the library's.

        There a position is a bare rowid, which VACUUM may change, and the backup by `VACUUM INTO` too.
        """
        return [
            "CREATE TABLE IF NOT EXISTS stored_events ("
            "position INTEGER PRIMARY KEY, originator_id TEXT NOT NULL,"
            " originator_version INTEGER NOT NULL, topic TEXT NOT NULL, state BLOB NOT NULL,"
            " UNIQUE (originator_id, originator_version))"
        ]

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        """Raise `NotImplementedError`: positions come from the counter that `write` moves."""
        raise NotImplementedError("Events are written with `write`.")

    def write(
        self, batch: Sequence[PackedAppend], real_now: float
    ) -> list[Sequence[int] | StoreRefusal]:
        """Settle and write a batch; return the positions, or the refusal, of each append."""
        appends = [packed.append for packed in batch]
        asked = questions(appends)
        with self.datastore.transaction(commit=True) as cursor:
            facts, newest = read_facts(cursor, asked)
            verdicts, writes = settle(appends, facts, real_now)
            accepted = [packed for packed, no in zip(batch, verdicts, strict=True) if no is None]
            events = [event for packed in accepted for event in packed.events]
            if accepted:
                write_batch(cursor, events, writes, accepted, newest, self._shapes)
            positions = count(newest + 1)
            return [
                [next(positions) for _ in packed.events] if no is None else no
                for packed, no in zip(batch, verdicts, strict=True)
            ]
