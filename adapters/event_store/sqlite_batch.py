"""
A batch in few statements: one reads all that settling needs, one per table writes what holds.

Every step of a statement hands the interpreter lock over and back, so rows travel together. What is
asked goes in as JSON and comes back in one row; what is written goes in as plain values, which cost
SQLite half of what taking JSON apart does (measured).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from itertools import chain
from typing import Any

import msgspec
from attrs import frozen
from eventsourcing.sqlite import SQLiteCursor

from .packed_append import KEY, PackedAppend, key_record, table_rows
from .questions import Facts, Questions, Uses
from .row_shape import RowShape
from .settling import Writes
from .stored_event import StoredEvent


def read_facts(cursor: SQLiteCursor, asked: Questions) -> tuple[Facts, int]:
    """Read what settling a batch needs, and the position of the newest event."""
    wanted = [[subject, count, hits] for (subject, count), hits in asked.uses.items()]
    lists = (asked.streams, asked.holders, asked.positions, wanted)
    cursor.execute(_FACTS, [_encode(each).decode() for each in lists])
    versions, holders, positions, uses, newest = cursor.fetchone()
    facts = Facts(versions=_decode(versions), positions=_decode(positions))
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
            facts.keys[scope] = key_record(row)
    return facts, newest or 0


def write_batch(
    cursor: SQLiteCursor,
    events: Iterable[StoredEvent],
    writes: Writes,
    held: Sequence[PackedAppend],
    newest: int,
    shapes: Mapping[str, RowShape],
) -> None:
    """Write the events behind position `newest`, and everything beside them."""
    rows = table_rows(writes, held, shapes)
    logged = [(position, *event) for position, event in enumerate(events, newest + 1)]
    _run(cursor, _ADD_EVENTS, logged)
    _run(cursor, _ADD_USES, rows.uses)
    _run(cursor, _HOLD, rows.holders)
    _delete(cursor, _RELEASE, rows.holders_gone)
    _run(cursor, _ADD_DUE, rows.due)
    _delete(cursor, _DROP_DUE, rows.due_gone)
    _run(cursor, _KEEP_SEALS, rows.seal_keys)
    _delete(cursor, _DROP_SEALS, rows.seal_keys_gone)
    _run(cursor, _KEEP_POSITIONS, rows.positions)
    _delete(cursor, _DROP_POSITIONS, rows.positions_gone)
    for table, values in rows.models.items():
        _run(cursor, _upsert(shapes[table]), values)
    _run(cursor, _KEEP_SETTINGS, rows.settings)
    _run(cursor, _KEEP_KEYS, rows.keys)


@frozen(eq=False)
class _ForRows:
    """A statement for any number of rows of `width` values, between `head` and `tail`."""

    head: str
    width: int
    tail: str = ""


def _run(cursor: SQLiteCursor, statement: _ForRows, rows: Sequence[Sequence[Any]]) -> None:
    start = 0
    while left := len(rows) - start:
        count = min(1 << (left.bit_length() - 1), _MOST_ROWS)
        part = rows[start : start + count]
        cursor.execute(_text(statement, count), list(chain.from_iterable(part)))
        start += count


def _delete(cursor: SQLiteCursor, statement: str, keys: Sequence[Sequence[Any]]) -> None:
    # One by one, by the primary key: for a list of keys of several columns SQLite reads the whole table.
    if keys:
        cursor.executemany(statement, keys)


@lru_cache(maxsize=1024)
def _text(statement: _ForRows, count: int) -> str:
    row = f"({', '.join('?' * statement.width)})"
    return f"{statement.head} {', '.join([row] * count)} {statement.tail}"


@cache
def _upsert(shape: RowShape) -> _ForRows:
    key = shape.columns[0]
    changing = ", ".join(
        f"{each} = excluded.{each}" for each in shape.columns if each not in shape.fixed
    )
    return _ForRows(
        f"INSERT INTO {shape.name} ({', '.join(shape.columns)}) VALUES",
        len(shape.columns),
        f"ON CONFLICT ({key}) DO {f'UPDATE SET {changing}' if changing else 'NOTHING'}",
    )


# Numbers of rows are powers of two up to this one, so that a few statements serve every batch: one
# for each number would be compiled anew for most batches, and those that are kept took megabytes.
_MOST_ROWS = 64
# What is refused takes its whole transaction back, as the connection would: SQLite keeps no copy of each
# page that the statement changes, to take back that alone.
_ADD_EVENTS = _ForRows(
    "INSERT OR ROLLBACK INTO stored_events"
    " (rowid, originator_id, originator_version, topic, state) VALUES",
    5,
)
_ADD_USES = _ForRows("INSERT OR ROLLBACK INTO uses VALUES", 3)
_HOLD = _ForRows("INSERT OR IGNORE INTO holders VALUES", 2)
_RELEASE = "DELETE FROM holders WHERE subject = ? AND holder = ?"
_ADD_DUE = _ForRows("INSERT OR REPLACE INTO due VALUES", 4)
_DROP_DUE = "DELETE FROM due WHERE kind = ? AND stream = ? AND number = ?"
_KEEP_SETTINGS = _ForRows("INSERT OR REPLACE INTO settings VALUES", 2)
_KEEP_SEALS = _ForRows("INSERT OR REPLACE INTO seal_keys VALUES", 3)
_DROP_SEALS = "DELETE FROM seal_keys WHERE name = ?"
_KEEP_POSITIONS = _ForRows("INSERT OR REPLACE INTO positions VALUES", 2)
_DROP_POSITIONS = "DELETE FROM positions WHERE name = ?"
DELETES = (_RELEASE, _DROP_DUE, _DROP_SEALS, _DROP_POSITIONS)
_KEEP_KEYS = _ForRows("INSERT OR REPLACE INTO idempotency_keys VALUES", 6)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
# Versions, holders, positions, uses, and the newest position, in one row. Of a use's subject there is one row
# with no number where no use is old enough to be measured against.
_FACTS = """
SELECT
  (SELECT json_group_object(originator_id, version) FROM (
    SELECT originator_id, max(originator_version) AS version FROM stored_events
    WHERE originator_id IN (SELECT value FROM json_each(?)) GROUP BY originator_id)),
  (SELECT json_group_array(json_array(subject, holder)) FROM holders
    WHERE subject IN (SELECT value FROM json_each(?))),
  (SELECT json_group_object(name, position) FROM positions
    WHERE name IN (SELECT value FROM json_each(?))),
  (SELECT json_group_array(json_array(asked.subject, asked.last, uses.number, uses.at)) FROM (
    SELECT json_extract(value, '$[0]') AS subject, json_extract(value, '$[1]') AS count,
      json_extract(value, '$[2]') AS hits,
      (SELECT max(number) FROM uses WHERE uses.subject = json_extract(value, '$[0]')) AS last
    FROM json_each(?)) AS asked
    LEFT JOIN uses ON uses.subject = asked.subject
      AND uses.number BETWEEN last + 1 - count AND last + hits - count),
  (SELECT max(rowid) FROM stored_events)
"""
