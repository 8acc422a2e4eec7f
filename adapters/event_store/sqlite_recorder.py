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

import msgspec
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

from ...application.ports.event_store import Append, Due, StoreRefusal, StoreUnavailable
from . import tables
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
            cached_statements=128,
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

    Each table takes one statement per batch, with its rows as one JSON array: every statement hands
    the interpreter lock over and back, and that is what costs here.
    """

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
            facts = read_facts(cursor, questions(packed.append for packed in batch))
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
        positions = super()._insert_events(c, stored_events)
        if writes is not None:
            _write_beside(c, writes, held)
        return positions


def read_facts(cursor: SQLiteCursor, asked: Questions) -> Facts:
    """Read what settling a batch needs, one statement per kind of fact."""
    facts = Facts()
    if asked.streams:
        cursor.execute(_VERSIONS, (_json(sorted(asked.streams)),))
        facts.versions = {stream: version for stream, version in cursor.fetchall() if version}
    if asked.holders:
        cursor.execute(_HOLDERS, (_json(sorted(asked.holders)),))
        for subject, holder in cursor.fetchall():
            facts.holders.setdefault(subject, set()).add(holder)
    if asked.keys:
        cursor.execute(_KEYS, (_json(sorted(asked.keys)),))
        facts.keys = {row[0]: key_record(row[1:]) for row in cursor.fetchall()}
    if asked.uses:
        wanted = [[subject, count, hits] for (subject, count), hits in asked.uses.items()]
        cursor.execute(_USES, (_json(wanted),))
        for subject, last, number, at in cursor.fetchall():
            uses = facts.uses.setdefault(subject, Uses(last or 0))
            if number is not None:
                uses.times[number] = _time(at)
    return facts


def key_record(row: Sequence[Any]) -> KeyRecord:
    """Give a stored Idempotency-Key: fingerprint, owner, lease, time and answer."""
    fingerprint, owner, lease_until, taken_at, answer = row
    return KeyRecord(fingerprint, owner, lease_until, _time(taken_at), answer)


def _write_beside(cursor: SQLiteCursor, writes: Writes, held: Sequence[PackedAppend]) -> None:
    rows: dict[type[Any], dict[str, list[Any]]] = {}
    due: dict[tuple[str, str, int], str | None] = {}
    for packed in held:
        for kind, values in packed.rows:
            rows.setdefault(kind, {})[values[0]] = values
        due.update((_due_key(each), time_text(each.at)) for each in packed.append.due)
        due.update((_due_key(each), None) for each in packed.append.done)
    for kind, by_key in rows.items():
        cursor.execute(_UPSERTS[kind], (_json(list(by_key.values())),))
    _each(cursor, _ADD_USES, [[s, n, time_text(at)] for (s, n), at in writes.uses.items()])
    _each(cursor, _HOLD, [list(pair) for pair, holds in writes.held.items() if holds])
    _each(cursor, _RELEASE, [list(pair) for pair, holds in writes.held.items() if not holds])
    _each(cursor, _ADD_DUE, [[*key, at] for key, at in due.items() if at is not None])
    _each(cursor, _DROP_DUE, [list(key) for key, at in due.items() if at is None])
    for scope, record in writes.keys.items():
        cursor.execute(
            _KEEP_KEY,
            (
                scope,
                record.fingerprint,
                record.owner,
                record.lease_until,
                time_text(record.taken_at),
                record.answer,
            ),
        )


def _each(cursor: SQLiteCursor, statement: str, rows: list[list[Any]]) -> None:
    if rows:
        cursor.execute(statement, (_json(rows),))


def _due_key(due: Due) -> tuple[str, str, int]:
    return (str(due.kind), due.stream, due.number)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _members(count: int) -> str:
    return ", ".join(f"json_extract(value, '$[{index}]')" for index in range(count))


def _upsert(row_table: RowTable[Any]) -> str:
    names = row_table.table.columns.keys()
    changing = ", ".join(
        f"{name} = excluded.{name}" for name in names if name not in row_table.fixed
    )
    # "WHERE true" tells SQLite that ON CONFLICT does not belong to a join of the SELECT.
    return (
        f"INSERT INTO {row_table.table.name} ({', '.join(names)}) "
        f"SELECT {_members(len(names))} FROM json_each(?) WHERE true "
        f"ON CONFLICT ({row_table.key}) DO {f'UPDATE SET {changing}' if changing else 'NOTHING'}"
    )


_UPSERTS = {kind: _upsert(row_table) for kind, row_table in ROW_TABLES.items()}
_VERSIONS = """
SELECT value, (SELECT max(originator_version) FROM stored_events WHERE originator_id = value)
FROM json_each(?)
"""
_HOLDERS = "SELECT subject, holder FROM holders JOIN json_each(?) ON subject = value"
_KEYS = """
SELECT scope, fingerprint, owner, lease_until, taken_at, answer
FROM idempotency_keys JOIN json_each(?) ON scope = value
"""
# The times that the next uses are measured against; one row with no number where there is none.
_USES = """
WITH asked AS (
  SELECT json_extract(value, '$[0]') AS subject, json_extract(value, '$[1]') AS count,
         json_extract(value, '$[2]') AS hits
  FROM json_each(?)
), newest AS (
  SELECT asked.*, (SELECT max(number) FROM uses WHERE uses.subject = asked.subject) AS last
  FROM asked
)
SELECT newest.subject, newest.last, uses.number, uses.at
FROM newest LEFT JOIN uses ON uses.subject = newest.subject
  AND uses.number BETWEEN newest.last + 1 - newest.count AND newest.last + newest.hits - newest.count
"""
_ADD_USES = f"INSERT INTO uses SELECT {_members(3)} FROM json_each(?)"
_HOLD = f"INSERT OR IGNORE INTO holders SELECT {_members(2)} FROM json_each(?)"
_RELEASE = (
    f"DELETE FROM holders WHERE (subject, holder) IN (SELECT {_members(2)} FROM json_each(?))"
)
_ADD_DUE = f"INSERT OR REPLACE INTO due SELECT {_members(4)} FROM json_each(?)"
_DROP_DUE = (
    f"DELETE FROM due WHERE (kind, stream, number) IN (SELECT {_members(3)} FROM json_each(?))"
)
_KEEP_KEY = "INSERT OR REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?, ?, ?)"
