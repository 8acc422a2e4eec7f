"""
A batch in few statements: one per kind of fact reads most facts for settling, one per table writes.

Each step of a statement releases and reacquires the interpreter lock. So the facts of many keys come back
in one row, and many rows are written together. Both use plain values, which cost SQLite half as much as
parsing JSON (measured).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from itertools import chain
from typing import Any, TypeVar

import msgspec
from attrs import frozen
from eventsourcing.sqlite import SQLiteCursor

from ..batch.budgets import Counts, Tallies
from ..batch.facts import Facts, Questions, Uses
from ..batch.packed_append import (
    LOG,
    SELECT_KEY,
    SELECT_PERSON,
    PackedAppend,
    key_record,
    person_record,
    table_rows,
)
from ..batch.settling import Writes
from ..log.stored_event import StoredEvent
from ..rows.row_shape import RowShape

K = TypeVar("K")


def read_facts(cursor: SQLiteCursor, asked: Questions) -> tuple[Facts, int]:
    """Read the facts for settling a batch, and the newest position that an event ever had."""
    facts = Facts(
        versions=_known(cursor, _VERSION, asked.streams),
        holders={
            subject: set(_decode(holders))
            for subject, holders in _ask(cursor, _HOLDERS, asked.holders)
            # Most subjects have no holder, so nothing has to be decoded.
            if holders != _NOTHING
        },
        positions=_known(cursor, _POSITION, asked.positions),
        living=_known(cursor, _LIVING, asked.living - asked.verified),
    )
    for person_id, found in _known(cursor, _VERIFIED, asked.verified).items():
        hmac, verified_at = _decode_verified(found)
        facts.living[person_id] = hmac
        if verified_at is not None:
            facts.verified[person_id] = verified_at
    for (subject, _), buckets in _ask(cursor, _TALLIES, asked.tallies.items(), 2):
        if buckets != _NOTHING:
            facts.tallies[subject] = Tallies.of(dict(_decode_tallies(buckets)))
    for key, at in _ask(cursor, _DUE, asked.due, 3):
        facts.due[key] = None if at is None else datetime.fromisoformat(at)
    for person_id in _known(cursor, _MET, asked.people).values():
        cursor.execute(f"{SELECT_PERSON} WHERE person = ?", (person_id,))
        known_person = person_record(tuple(cursor.fetchone()))
        facts.people[known_person.hmac] = known_person
    last = _known(cursor, _LAST_USE, {subject for subject, _ in asked.uses})
    for (subject, count), hits in asked.uses.items():
        newest = last.get(subject, 0)
        known = facts.uses.setdefault(subject, Uses(newest))
        # Only subjects with this many uses can reach the ceiling.
        if newest + hits > count:
            cursor.execute(_USES, (subject, newest + 1 - count, newest + hits - count))
            for number, at in cursor.fetchall():
                known.times[number] = datetime.fromisoformat(at)
    for scope in asked.keys:
        cursor.execute(f"{SELECT_KEY} WHERE scope = ?", (scope,))
        row = cursor.fetchone()
        if row is not None:
            facts.keys[scope] = key_record(row)
    cursor.execute(_NEWEST)
    return facts, cursor.fetchone()[0]


def write_batch(
    cursor: SQLiteCursor,
    events: Iterable[StoredEvent],
    writes: Writes,
    accepted: Sequence[PackedAppend],
    newest: int,
    shapes: Mapping[str, RowShape],
) -> None:
    """Write the events after position `newest`, and all rows beside them."""
    rows = table_rows(writes, accepted, shapes)
    logged = [(position, *event) for position, event in enumerate(events, newest + 1)]
    _run(cursor, _ADD_EVENTS, logged)
    _run(cursor, _ADD_USES, rows.uses)
    _run(cursor, _HOLD, rows.holders)
    _delete(cursor, _RELEASE, rows.holders_gone)
    _run(cursor, _ADD_DUE, rows.due)
    _delete(cursor, _DROP_DUE, rows.due_gone)
    _run(cursor, _KEEP_SEALS, rows.seal_keys)
    _delete(cursor, _DROP_SEALS, rows.seal_keys_gone)
    _run(cursor, _KEEP_PEOPLE, rows.people)
    _delete(cursor, _DROP_PEOPLE, rows.people_gone)
    if rows.verified:
        cursor.executemany(_VERIFY, [(at, hmac) for hmac, at in rows.verified])
    _run(cursor, _KEEP_TALLIES, rows.tallies)
    _delete(cursor, _DROP_TALLIES, rows.tallies_gone)
    newest_of_log = [(LOG, newest + len(logged))] if logged else []
    _run(cursor, _KEEP_POSITIONS, [*rows.positions, *newest_of_log])
    _delete(cursor, _DROP_POSITIONS, rows.positions_gone)
    for table, values in rows.models.items():
        _run(cursor, _upsert(shapes[table]), values)
    for table, values in rows.whole.items():
        _run(cursor, _replacement(shapes[table]), values)
    for table, keys in rows.models_gone.items():
        _delete(cursor, removal(shapes[table]), keys)
    _run(cursor, _KEEP_SETTINGS, rows.settings)
    _run(cursor, _KEEP_KEYS, rows.keys)


@frozen(eq=False)
class _ForRows:
    """A statement for any number of rows of `width` values, between `head` and `tail`."""

    head: str
    width: int
    tail: str = ""


def _ask(
    cursor: SQLiteCursor, question: str, keys: Iterable[K], width: int = 1
) -> Iterable[tuple[K, Any]]:
    """Select the same fact for each key, of `width` values; return pairs of key and fact."""
    asked = list(keys)
    answers: list[Any] = []
    for start in range(0, len(asked), _MOST):
        part: list[Any] = asked[start : start + _MOST]
        count = 1 << (len(part) - 1).bit_length()
        values = [*part] if width == 1 else [*chain.from_iterable(part)]
        # Fill up with NULL, which finds nothing at a negligible cost.
        values += [None] * (count * width - len(values))
        cursor.execute(_questions(question, count), values)
        answers += cursor.fetchone()
    return zip(asked, answers, strict=False)


def _known(cursor: SQLiteCursor, question: str, keys: Iterable[str]) -> dict[str, Any]:
    return {key: known for key, known in _ask(cursor, question, keys) if known is not None}


def _run(cursor: SQLiteCursor, statement: _ForRows, rows: Sequence[Sequence[Any]]) -> None:
    start = 0
    while left := len(rows) - start:
        count = min(1 << (left.bit_length() - 1), _MOST)
        part = rows[start : start + count]
        cursor.execute(_text(statement, count), list(chain.from_iterable(part)))
        start += count


def _delete(cursor: SQLiteCursor, statement: str, keys: Sequence[Sequence[Any]]) -> None:
    # One by one by primary key: for a list of keys of several columns SQLite would scan the table.
    if keys:
        cursor.executemany(statement, keys)


@lru_cache(maxsize=1024)
def _questions(question: str, count: int) -> str:
    return f"SELECT {', '.join([question] * count)}"


@lru_cache(maxsize=1024)
def _text(statement: _ForRows, count: int) -> str:
    row = f"({', '.join('?' * statement.width)})"
    return f"{statement.head} {', '.join([row] * count)} {statement.tail}"


@cache
def _upsert(shape: RowShape) -> _ForRows:
    key = shape.columns[0]
    changing = shape.assignments()
    return _ForRows(
        f"INSERT INTO {shape.name} ({', '.join(shape.columns)}) VALUES",
        len(shape.columns),
        f"ON CONFLICT ({key}) DO {f'UPDATE SET {changing}' if changing else 'NOTHING'}",
    )


@cache
def _replacement(shape: RowShape) -> _ForRows:
    key, *others = shape.columns
    replaced = ", ".join(f"{each} = excluded.{each}" for each in others)
    return _ForRows(
        f"INSERT INTO {shape.name} ({', '.join(shape.columns)}) VALUES",
        len(shape.columns),
        f"ON CONFLICT ({key}) DO UPDATE SET {replaced}",
    )


@cache
def removal(shape: RowShape) -> str:
    """Return the statement that removes a row by its key."""
    return f"DELETE FROM {shape.name} WHERE {shape.columns[0]} = ?"


# Numbers of rows and keys are powers of two up to this one, so that few statements serve every batch. With
# one statement for each number, most would be compiled again, and the cached ones took megabytes.
_MOST = 64
# OR ROLLBACK: a refused row ends the whole transaction, which the connection would do anyway. So SQLite
# needs no copies of the statement's changed pages.
_ADD_EVENTS = _ForRows(
    "INSERT OR ROLLBACK INTO stored_events"
    " (position, originator_id, originator_version, topic, state) VALUES",
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
_KEEP_PEOPLE = _ForRows("INSERT OR REPLACE INTO people VALUES", 6)
_DROP_PEOPLE = "DELETE FROM people WHERE hmac = ?"
_VERIFY = "UPDATE people SET verified_at = ? WHERE hmac = ?"
# A replaced row would leave the index and come back to it.
_KEEP_TALLIES = _ForRows(
    "INSERT INTO tallies VALUES",
    5,
    "ON CONFLICT (subject, bucket) DO UPDATE SET sent = excluded.sent, verified = excluded.verified",
)
_DROP_TALLIES = "DELETE FROM tallies WHERE subject = ? AND bucket = ?"
_KEEP_POSITIONS = _ForRows("INSERT OR REPLACE INTO positions VALUES", 2)
_DROP_POSITIONS = "DELETE FROM positions WHERE name = ?"
BY_KEYS = (
    _RELEASE,
    _DROP_DUE,
    _DROP_SEALS,
    _DROP_PEOPLE,
    _VERIFY,
    _DROP_TALLIES,
    _DROP_POSITIONS,
)
_KEEP_KEYS = _ForRows("INSERT OR REPLACE INTO idempotency_keys VALUES", 7)
_decode = msgspec.json.Decoder(list[str]).decode
_decode_verified = msgspec.json.Decoder(tuple[str, datetime | None]).decode
_decode_tallies = msgspec.json.Decoder(list[tuple[int, Counts]]).decode
# Each selects a fact of one key, in one row.
_VERSION = "(SELECT max(originator_version) FROM stored_events WHERE originator_id = ?)"
_HOLDERS = "(SELECT json_group_array(holder) FROM holders WHERE subject = ?)"
_NOTHING = "[]"
_POSITION = "(SELECT position FROM positions WHERE name = ?)"
_LIVING = "(SELECT hmac FROM people WHERE person = ?)"
_VERIFIED = "(SELECT json_array(hmac, verified_at) FROM people WHERE person = ?)"
_TALLIES = (
    "(SELECT json_group_array(json_array(bucket, json_array(sent, verified)))"
    " FROM tallies WHERE subject = ? AND bucket >= ?)"
)
_DUE = "(SELECT at FROM due WHERE kind = ? AND stream = ? AND number = ?)"
_MET = "(SELECT person FROM people WHERE hmac = ?)"
_LAST_USE = "(SELECT max(number) FROM uses WHERE subject = ?)"
_USES = "SELECT number, at FROM uses WHERE subject = ? AND number BETWEEN ? AND ?"
# The counter alone would do. But a counter that was set back by hand must not stop all writes.
_NEWEST = (
    "SELECT max(ifnull((SELECT max(position) FROM stored_events), 0),"
    f" ifnull((SELECT position FROM positions WHERE name = '{LOG}'), 0))"
)
