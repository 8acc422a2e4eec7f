"""
A whole batch in two statements: one reads what settling needs, one writes all that holds.

Every step of a statement hands the interpreter lock over and back, and the busy event loop is slow
to give it back: with a statement per table the writer spent most of its time waiting (profile).
So a batch travels as JSON; SQLite takes it apart without the lock, while the loop goes on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from attrs import frozen
from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteCursor

from ...application.ports.event_store import LEASE_SECONDS, Append, Due
from .settling import Facts, KeyRecord, Questions, Uses, Writes
from .tables import ROW_TABLES, RowTable, time_text


@frozen
class PackedAppend:
    """An append in stored form, made before it waits for the writer."""

    append: Append
    events: tuple[StoredEvent, ...]
    rows: tuple[tuple[type[Any], list[Any]], ...]


def prepare(connection: sqlite3.Connection) -> None:
    """Give a connection the view that takes batches; it lives and dies with the connection."""
    names = ", ".join(f"NULL AS {name}" for name in _PARTS)
    connection.execute(f"CREATE TEMP VIEW batch AS SELECT {names}")
    connection.execute(
        f"CREATE TEMP TRIGGER write_batch INSTEAD OF INSERT ON batch BEGIN {_WRITES} END"
    )


def read_facts(cursor: SQLiteCursor, asked: Questions, owned_since: float) -> tuple[Facts, int]:
    """Read what settling a batch needs, and the position of the newest event."""
    wanted = [[subject, count, hits] for (subject, count), hits in asked.uses.items()]
    cursor.execute(_FACTS, (_json(list(asked.streams)), _json(list(asked.holders)), _json(wanted)))
    versions, holders, uses, newest = cursor.fetchone()
    facts = Facts(versions=_decode(versions))
    for subject, holder in _decode(holders):
        facts.holders.setdefault(subject, set()).add(holder)
    for subject, last, number, at in _decode(uses):
        known = facts.uses.setdefault(subject, Uses(last or 0))
        if number is not None:
            known.times[number] = datetime.fromisoformat(at)
    for scope in asked.keys:
        cursor.execute(f"{KEY} WHERE scope = ?", (scope,))
        row = cursor.fetchone()
        if row is not None:
            facts.keys[scope] = key_record(row, owned_since)
    return facts, newest or 0


def key_record(row: Sequence[Any], owned_since: float) -> KeyRecord:
    """
    Give a stored Idempotency-Key out of a row of `KEY`.

    A lease from before this process owned the file has lost its holder, and is over.
    """
    fingerprint, owner, lease_until, taken_at, answer = row
    if lease_until - LEASE_SECONDS < owned_since:
        lease_until = 0.0
    return KeyRecord(fingerprint, owner, lease_until, datetime.fromisoformat(taken_at), answer)


def write_batch(
    cursor: SQLiteCursor,
    events: Iterable[StoredEvent],
    writes: Writes,
    held: Sequence[PackedAppend],
    newest: int,
) -> None:
    """Write the events behind position `newest`, and everything beside them."""
    rows: dict[type[Any], dict[str, list[Any]]] = {}
    due: dict[tuple[str, str, int], str | None] = {}
    for packed in held:
        for kind, values in packed.rows:
            rows.setdefault(kind, {})[values[0]] = values
        due.update((_due_key(each), time_text(each.at)) for each in packed.append.due)
        due.update((_due_key(each), None) for each in packed.append.done)
    parts = {
        "stored_events": [
            (position, e.originator_id, e.originator_version, e.topic, e.state.decode())
            for position, e in enumerate(events, newest + 1)
        ],
        "uses": [(*use, time_text(at)) for use, at in writes.uses.items()],
        "held": [pair for pair, holds in writes.held.items() if holds],
        "released": [pair for pair, holds in writes.held.items() if not holds],
        "due": [(*key, at) for key, at in due.items() if at is not None],
        "done": [key for key, at in due.items() if at is None],
        **{ROW_TABLES[kind].table.name: list(by_key.values()) for kind, by_key in rows.items()},
    }
    cursor.execute(_BATCH, [_json(parts[name]) if parts.get(name) else None for name in _PARTS])
    for scope, record in writes.keys.items():
        # Answers are bytes, which JSON has no word for.
        cursor.execute(
            "INSERT OR REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?, ?, ?)",
            (
                scope,
                record.fingerprint,
                record.owner,
                record.lease_until,
                time_text(record.taken_at),
                record.answer,
            ),
        )


def _due_key(due: Due) -> tuple[str, str, int]:
    return (str(due.kind), due.stream, due.number)


def _json(value: Any) -> str:
    return _encode(value).decode()


def _members(count: int) -> str:
    return ", ".join(f"value ->> {index}" for index in range(count))


def _each(part: str) -> str:
    return f"FROM json_each(NEW.{part})"


def _upsert(row_table: RowTable[Any]) -> str:
    name, columns = row_table.table.name, row_table.table.columns.keys()
    changing = ", ".join(
        f"{each} = excluded.{each}" for each in columns if each not in row_table.fixed
    )
    # "WHERE true" tells SQLite that ON CONFLICT does not belong to a join of the SELECT.
    return (
        f"INSERT INTO {name} ({', '.join(columns)}) SELECT {_members(len(columns))} {_each(name)}"
        f" WHERE true ON CONFLICT ({row_table.key})"
        f" DO {f'UPDATE SET {changing}' if changing else 'NOTHING'};"
    )


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_PARTS = (
    "stored_events",
    "uses",
    "held",
    "released",
    "due",
    "done",
    *(row_table.table.name for row_table in ROW_TABLES.values()),
)
_BATCH = f"INSERT INTO batch VALUES ({', '.join('?' * len(_PARTS))})"
_WRITES = f"""
INSERT INTO stored_events (rowid, originator_id, originator_version, topic, state)
  SELECT {_members(4)}, CAST(value ->> 4 AS BLOB) {_each("stored_events")};
INSERT INTO uses SELECT {_members(3)} {_each("uses")};
INSERT OR IGNORE INTO holders SELECT {_members(2)} {_each("held")};
DELETE FROM holders WHERE (subject, holder) IN (SELECT {_members(2)} {_each("released")});
INSERT OR REPLACE INTO due SELECT {_members(4)} {_each("due")};
DELETE FROM due WHERE (kind, stream, number) IN (SELECT {_members(3)} {_each("done")});
{"".join(_upsert(row_table) for row_table in ROW_TABLES.values())}
"""
# Versions, holders, uses, and the newest position, in one row. Of a use's subject there is one row
# with no number where no use is old enough to be measured against.
_FACTS = """
SELECT
  (SELECT json_group_object(originator_id, version) FROM (
    SELECT originator_id, max(originator_version) AS version FROM stored_events
    WHERE originator_id IN (SELECT value FROM json_each(?1)) GROUP BY originator_id)),
  (SELECT json_group_array(json_array(subject, holder)) FROM holders
    WHERE subject IN (SELECT value FROM json_each(?2))),
  (SELECT json_group_array(json_array(asked.subject, asked.last, uses.number, uses.at)) FROM (
    SELECT value ->> 0 AS subject, value ->> 1 AS count, value ->> 2 AS hits,
      (SELECT max(number) FROM uses WHERE uses.subject = value ->> 0) AS last
    FROM json_each(?3)) AS asked
    LEFT JOIN uses ON uses.subject = asked.subject
      AND uses.number BETWEEN last + 1 - count AND last + hits - count),
  (SELECT max(rowid) FROM stored_events)
"""
KEY = "SELECT fingerprint, owner, lease_until, taken_at, answer FROM idempotency_keys"
