"""
`eventsourcing`'s SQLite recorder, with durable connections and everything else of a batch.

The library's own connections never set `synchronous` and begin transactions without the write lock;
these assert the first and take the second, so that what is read in a write transaction holds.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

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
from ..batch.packed_append import PackedAppend
from ..batch.questions import questions
from ..batch.settling import settle
from ..rows.row_shape import RowShape
from .batch import read_facts, write_batch

BUSY_SECONDS = 5
_FULL = 2
# 16 MiB of write-ahead log before a commit copies it into the database, while no other commit runs. A page
# that many commits write is copied once. At SQLite's own 4 MiB the copies came twenty times a second under
# full load and took a tenth of the time; at 64 MiB each took 30 ms and more, which a client notices.
_LOG_PAGES = 4_000


def database_uri(path: Path, mode: str) -> str:
    """Return the address of a database file; `mode` is SQLite's (`ro`, `rw`, `rwc`)."""
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
            # The traceback of a failure keeps the cursor alive until the event loop lets go of it; an
            # open one would make the loop wait there for whatever this connection then does.
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
    """Opens connections with WAL and `synchronous=FULL`, and makes sure of both."""

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
        # Statement journals hold what a failed statement would undo; on disk they took half of a commit.
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute(f"PRAGMA wal_autocheckpoint={_LOG_PAGES}")
        # What is dropped is overwritten, a seal key above all; many builds of SQLite leave it (D-38).
        connection.execute("PRAGMA secure_delete=ON")
        mode = "" if self._read_only else "=WAL"
        (journal,) = connection.execute(f"PRAGMA journal_mode{mode}").fetchone()
        (synchronous,) = connection.execute("PRAGMA synchronous").fetchone()
        if not self._read_only and (journal.lower() != "wal" or synchronous < _FULL):
            raise NotDurable(f"journal_mode is {journal}, synchronous is {synchronous}")


class DurableDatastore(SQLiteDatastore):
    """
    The library's datastore on durable connections, with texts as stream ids.

    Writers of this process wait for each other here, with no reader behind them: under the library's
    own lock, every read waited for a writer that waited for the file.
    """

    def __init__(self, uri: str, *, read_only: bool = False) -> None:
        super().__init__(uri, originator_id_type="text")
        self.pool.close()
        self.pool = DurablePool(uri, read_only=read_only)
        self._writing = threading.Lock()

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        """Lend a connection; one at a time for writing, and `StoreUnavailable` after 5 s in line."""
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
    Writes a whole batch in one transaction; refused appends leave no trace in it.

    `shapes` are those of the read models' rows, by their table's name.
    """

    def __init__(self, datastore: DurableDatastore, shapes: Mapping[str, RowShape]) -> None:
        super().__init__(datastore)
        self._shapes = shapes

    def write(
        self, batch: Sequence[PackedAppend], real_now: float
    ) -> list[Sequence[int] | StoreRefusal]:
        """Settle and write a batch; return the positions, or the refusal, of each append."""
        appends = [packed.append for packed in batch]
        asked = questions(appends)
        with self.datastore.transaction(commit=True) as cursor:
            facts, newest = read_facts(cursor, asked)
            verdicts, writes = settle(appends, facts, real_now)
            held = [packed for packed, no in zip(batch, verdicts, strict=True) if no is None]
            events = [event for packed in held for event in packed.events]
            if held:
                write_batch(cursor, events, writes, held, newest, self._shapes)
            positions = count(newest + 1)
            return [
                [next(positions) for _ in packed.events] if no is None else no
                for packed, no in zip(batch, verdicts, strict=True)
            ]
