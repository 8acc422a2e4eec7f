"""
`eventsourcing`'s SQLite recorder, with durable connections and everything else of a batch.

The library's own connections never set `synchronous` and begin transactions without the write lock;
these assert the first and take the second, so that what is read in a write transaction holds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from attrs import frozen
from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from ...application.ports.event_store import (
    LEASE_SECONDS,
    Append,
    Due,
    StoreRefusal,
    StoreUnavailable,
)
from . import tables
from .bulk import Bulk
from .settling import Facts, KeyRecord, Questions, Uses, Writes, questions, settle
from .tables import ROW_TABLES, RowTable, time_text

BUSY_SECONDS = 5
_FULL = 2
_DIALECT = sqlite.dialect()


class NotDurable(StoreUnavailable):
    """The database file does not keep what is committed, so nothing may be acknowledged on it."""


class DurableConnection(SQLiteConnection):
    """A connection whose write transactions hold the write lock from their first statement."""

    def __init__(self, connection: sqlite3.Connection, max_age: float | None) -> None:
        super().__init__(connection, max_age)
        self._connection = connection

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """Run a transaction; a failed commit is rolled back, so that the connection stays usable."""
        cursor = self._connection.cursor()
        cursor.execute("BEGIN IMMEDIATE" if commit else "BEGIN")
        try:
            yield SQLiteCursor(cursor)
            if commit:
                self._connection.commit()
        finally:
            if self._connection.in_transaction:
                self._connection.rollback()
            cursor.close()


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
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA synchronous=FULL")
        mode = "" if self._read_only else "=WAL"
        (journal,) = connection.execute(f"PRAGMA journal_mode{mode}").fetchone()
        (synchronous,) = connection.execute("PRAGMA synchronous").fetchone()
        if not self._read_only and (journal.lower() != "wal" or synchronous < _FULL):
            connection.close()
            raise NotDurable(f"journal_mode is {journal}, synchronous is {synchronous}")
        return DurableConnection(connection, self.max_age)


class DurableDatastore(SQLiteDatastore):
    """The library's datastore on durable connections, with texts as stream ids."""

    def __init__(self, uri: str, *, read_only: bool = False) -> None:
        super().__init__(uri, originator_id_type="text")
        self.pool.close()
        self.pool = DurablePool(uri, read_only=read_only)


@frozen
class PackedAppend:
    """An append in stored form, made before it waits for the writer."""

    append: Append
    events: tuple[StoredEvent, ...]
    rows: tuple[tuple[type[Any], list[Any]], ...]


class BatchRecorder(SQLiteApplicationRecorder):
    """
    Writes a whole batch in one transaction; refused appends leave no trace in it.

    Each table takes one statement for many rows (see `bulk`).
    """

    def __init__(self, datastore: SQLiteDatastore, owned_since: float) -> None:
        super().__init__(datastore)
        self._owned_since = owned_since

    def construct_create_table_statements(self) -> list[str]:
        """Give the statements that make the log and every table beside it."""
        statements = super().construct_create_table_statements()
        for table in tables.metadata.sorted_tables:
            statements.append(str(CreateTable(table, if_not_exists=True).compile(dialect=_DIALECT)))
            statements += (
                str(CreateIndex(index, if_not_exists=True).compile(dialect=_DIALECT))
                for index in sorted(table.indexes, key=lambda index: str(index.name))
            )
        return statements

    def write(
        self, batch: Sequence[PackedAppend], real_now: float
    ) -> list[Sequence[int] | StoreRefusal]:
        """Settle and write a batch; gives the positions, or the refusal, of each append."""
        with self.datastore.transaction(commit=True) as cursor:
            asked = questions(packed.append for packed in batch)
            facts = read_facts(cursor, asked, self._owned_since)
            verdicts, writes = settle([packed.append for packed in batch], facts, real_now)
            held = [packed for packed, no in zip(batch, verdicts, strict=True) if no is None]
            events = [event for packed in held for event in packed.events]
            positions = iter(self._insert_events(cursor, events, writes=writes, held=held) or ())
            return [
                [next(positions) for _ in packed.events] if no is None else no
                for packed, no in zip(batch, verdicts, strict=True)
            ]

    def _insert_events(
        self,
        c: SQLiteCursor,
        stored_events: Sequence[StoredEvent],
        *,
        writes: Writes | None = None,
        held: Sequence[PackedAppend] = (),
        **_: Any,
    ) -> Sequence[int] | None:
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in stored_events]
        _ADD_EVENTS.run(c, rows)
        # One statement after the other by the one writer: the rows have followed each other.
        positions = range(c.lastrowid - len(rows) + 1, c.lastrowid + 1) if rows else ()
        if writes is not None:
            _write_beside(c, writes, held)
        return positions


def read_facts(cursor: SQLiteCursor, asked: Questions, owned_since: float) -> Facts:
    """Read what settling a batch needs, one statement per kind of fact."""
    facts = Facts()
    for stream, version in _VERSIONS.select(cursor, ((stream,) for stream in asked.streams)):
        facts.versions[stream] = version
    for subject, holder in _HOLDERS.select(cursor, ((subject,) for subject in asked.holders)):
        facts.holders.setdefault(subject, set()).add(holder)
    for row in _KEYS.select(cursor, ((scope,) for scope in asked.keys)):
        facts.keys[row[0]] = key_record(row[1:], owned_since)
    wanted = ((subject, count, hits) for (subject, count), hits in asked.uses.items())
    for subject, last, number, at in _USES.select(cursor, wanted):
        uses = facts.uses.setdefault(subject, Uses(last or 0))
        if number is not None:
            uses.times[number] = datetime.fromisoformat(at)
    return facts


def key_record(row: Sequence[Any], owned_since: float) -> KeyRecord:
    """
    Give a stored Idempotency-Key: fingerprint, owner, lease, time and answer.

    A lease from before this process owned the file has lost its holder, and is over.
    """
    fingerprint, owner, lease_until, taken_at, answer = row
    if lease_until - LEASE_SECONDS < owned_since:
        lease_until = 0.0
    return KeyRecord(fingerprint, owner, lease_until, datetime.fromisoformat(taken_at), answer)


def _write_beside(cursor: SQLiteCursor, writes: Writes, held: Sequence[PackedAppend]) -> None:
    rows: dict[type[Any], dict[str, list[Any]]] = {}
    due: dict[tuple[str, str, int], str | None] = {}
    for packed in held:
        for kind, values in packed.rows:
            rows.setdefault(kind, {})[values[0]] = values
        due.update((_due_key(each), time_text(each.at)) for each in packed.append.due)
        due.update((_due_key(each), None) for each in packed.append.done)
    for kind, by_key in rows.items():
        _UPSERTS[kind].run(cursor, list(by_key.values()))
    _ADD_USES.run(cursor, [(s, n, time_text(at)) for (s, n), at in writes.uses.items()])
    _HOLD.run(cursor, [pair for pair, holds in writes.held.items() if holds])
    _RELEASE.run(cursor, [pair for pair, holds in writes.held.items() if not holds])
    _ADD_DUE.run(cursor, [(*key, at) for key, at in due.items() if at is not None])
    _DROP_DUE.run(cursor, [key for key, at in due.items() if at is None])
    _KEEP_KEYS.run(cursor, [_key_row(scope, record) for scope, record in writes.keys.items()])


def _key_row(scope: str, record: KeyRecord) -> tuple[Any, ...]:
    taken_at = time_text(record.taken_at)
    return (
        scope,
        record.fingerprint,
        record.owner,
        record.lease_until,
        taken_at,
        record.answer,
    )


def _due_key(due: Due) -> tuple[str, str, int]:
    return (str(due.kind), due.stream, due.number)


def _upsert(row_table: RowTable[Any]) -> Bulk:
    names = row_table.table.columns.keys()
    changing = ", ".join(
        f"{name} = excluded.{name}" for name in names if name not in row_table.fixed
    )
    return Bulk(
        f"INSERT INTO {row_table.table.name} ({', '.join(names)}) VALUES",
        len(names),
        f"ON CONFLICT ({row_table.key}) DO {f'UPDATE SET {changing}' if changing else 'NOTHING'}",
    )


_UPSERTS = {kind: _upsert(row_table) for kind, row_table in ROW_TABLES.items()}
_VERSIONS = Bulk(
    "SELECT originator_id, max(originator_version) FROM stored_events"
    " WHERE originator_id IN (VALUES",
    1,
    ") GROUP BY originator_id",
)
_HOLDERS = Bulk("SELECT subject, holder FROM holders WHERE subject IN (VALUES", 1, ")")
_KEYS = Bulk(
    "SELECT scope, fingerprint, owner, lease_until, taken_at, answer"
    " FROM idempotency_keys WHERE scope IN (VALUES",
    1,
    ")",
)
# The times that the next uses are measured against; one row with no number where there is none.
_USES = Bulk(
    "WITH asked (subject, count, hits) AS (VALUES",
    3,
    """), newest AS (
      SELECT *, (SELECT max(number) FROM uses WHERE uses.subject = asked.subject) AS last FROM asked
    )
    SELECT newest.subject, last, number, at FROM newest LEFT JOIN uses
    ON uses.subject = newest.subject AND number BETWEEN last + 1 - count AND last + hits - count""",
)
_ADD_EVENTS = Bulk("INSERT INTO stored_events VALUES", 4)
_ADD_USES = Bulk("INSERT INTO uses VALUES", 3)
_HOLD = Bulk("INSERT OR IGNORE INTO holders VALUES", 2)
_RELEASE = Bulk("DELETE FROM holders WHERE (subject, holder) IN (VALUES", 2, ")")
_ADD_DUE = Bulk("INSERT OR REPLACE INTO due VALUES", 4)
_DROP_DUE = Bulk("DELETE FROM due WHERE (kind, stream, number) IN (VALUES", 3, ")")
_KEEP_KEYS = Bulk("INSERT OR REPLACE INTO idempotency_keys VALUES", 6)
