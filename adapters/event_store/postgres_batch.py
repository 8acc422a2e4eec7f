"""
A batch in two round trips: one reads all that settling needs, one writes what holds and commits.

Rows travel as one array for each column, so a statement has one text, however many they are; and
all tables are written by one statement, since each has its price with the driver and the server.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
from attrs import frozen
from psycopg import AsyncCursor, AsyncPipeline
from sqlalchemy import Table

from . import tables
from .packed_append import TableRows, key_record
from .postgres_arrays import array_of, numbers, texts
from .postgres_schema import stored_events, writers
from .read_model_tables import ROW_TABLES
from .settling import Facts, Questions, Uses
from .stored_event import StoredEvent

_decode = msgspec.json.Decoder().decode


async def read_facts(
    cursor: AsyncCursor[Any], pipeline: AsyncPipeline, asked: Questions
) -> tuple[Facts, int, float]:
    """Read what settling a batch needs, the position of the newest event, and the database's clock."""
    await cursor.execute(
        FACTS,
        (
            texts(asked.streams),
            texts(asked.holders),
            texts(asked.positions),
            texts(subject for subject, _ in asked.uses),
            numbers(count for _, count in asked.uses),
            numbers(asked.uses.values()),
            texts(asked.keys),
        ),
        prepare=True,
    )
    # Only behind a sync does the database limit its wait for a node that stands still in its turn.
    await pipeline.sync()
    ((versions, holders, positions, uses, keys, newest, now),) = await cursor.fetchall()
    facts = Facts(versions=dict(_listed(versions)), positions=dict(_listed(positions)))
    for subject, holder in _listed(holders):
        facts.holders.setdefault(subject, set()).add(holder)
    for subject, last, number, at in _listed(uses):
        known = facts.uses.setdefault(subject, Uses(last or 0))
        if number is not None:
            known.times[number] = datetime.fromisoformat(at)
    for scope, *record, answer in _listed(keys):
        kept = None if answer is None else base64.b64decode(answer)
        facts.keys[scope] = key_record((*record, kept))
    return facts, newest or 0, now


async def write_batch(
    cursor: AsyncCursor[Any],
    events: Sequence[StoredEvent],
    rows: TableRows,
    newest: int,
    mark: Sequence[Any],
) -> None:
    """Write the events behind position `newest`, everything beside them, and the writer's mark."""
    logged = [
        (each.originator_id, each.originator_version, each.topic, each.state, position)
        for position, each in enumerate(events, newest + 1)
    ]
    given = [
        (part, values)
        for part, values in (
            (_ADD_EVENTS, logged),
            (_ADD_USES, rows.uses),
            (_HOLD, rows.holders),
            (_RELEASE, rows.holders_gone),
            (_ADD_DUE, rows.due),
            (_DROP_DUE, rows.due_gone),
            (_KEEP_SEALS, rows.seal_keys),
            (_DROP_SEALS, rows.seal_keys_gone),
            (_KEEP_POSITIONS, rows.positions),
            (_DROP_POSITIONS, rows.positions_gone),
            *((_MODELS[table], values) for table, values in rows.models.items()),
            (_KEEP_SETTINGS, rows.settings),
            (_KEEP_KEYS, rows.keys),
            (_MARK, (mark,)),
        )
        if values
    ]
    await cursor.execute(
        statement(tuple(part for part, _ in given)),
        [array for part, values in given for array in part.arrays(values)],
        prepare=True,
    )


@frozen(eq=False)
class Part:
    """What is done to one table: SQL whose values are one array for each of its columns."""

    text: str
    columns: Sequence[Any]

    def arrays(self, rows: Sequence[Sequence[Any]]) -> Iterator[str]:
        """Give the rows as arrays."""
        for column, values in zip(self.columns, zip(*rows, strict=True), strict=True):
            yield array_of(column.type)[1](values)


@lru_cache(maxsize=256)
def statement(parts: tuple[Part, ...]) -> str:
    """Give the one statement for some parts; no two of them touch the same row."""
    *before, last = (each.text for each in parts)
    named = ",\n".join(f"part_{number} AS ({text})" for number, text in enumerate(before))
    return f"WITH {named}\n{last}" if named else last


def _listed(found: str | None) -> Any:
    return () if found is None else _decode(found)


def _insert(table: Table, conflict: str = "") -> Part:
    names = ", ".join(table.columns.keys())
    columns = tuple(table.columns)
    return Part(
        f"INSERT INTO {table.name} ({names}) SELECT * FROM {_unnested(columns)} {conflict}",
        columns,
    )


def _upsert(table: Table, fixed: frozenset[str] = frozenset()) -> Part:
    """Insert rows, or replace all of those of the same key but what is fixed."""
    names, keys = (
        [each.name for each in columns] for columns in (table.columns, table.primary_key)
    )
    changing = [
        f"{each} = excluded.{each}" for each in names if each not in keys and each not in fixed
    ]
    action = f"UPDATE SET {', '.join(changing)}" if changing else "NOTHING"
    return _insert(table, f"ON CONFLICT ({', '.join(keys)}) DO {action}")


def _delete(table: Table) -> Part:
    """Delete rows by their keys, each of which is looked up by itself."""
    keys = tuple(table.primary_key)
    names = ", ".join(each.name for each in keys)
    same = " AND ".join(f"{each.name} = gone.{each.name}" for each in keys)
    return Part(
        f"DELETE FROM {table.name} WHERE ctid = ANY(ARRAY("
        f"SELECT found.ctid FROM {_unnested(keys)} AS gone({names})"
        f" CROSS JOIN LATERAL (SELECT ctid FROM {table.name} WHERE {same} LIMIT 1) AS found))",
        keys,
    )


def _unnested(columns: Sequence[Any]) -> str:
    return f"unnest({', '.join(f'%s::{array_of(each.type)[0]}' for each in columns)})"


_ADD_EVENTS = _insert(stored_events)
_ADD_USES = _insert(tables.uses)
_HOLD = _upsert(tables.holders)
_RELEASE = _delete(tables.holders)
_ADD_DUE = _upsert(tables.due)
_DROP_DUE = _delete(tables.due)
_KEEP_SEALS = _upsert(tables.seal_keys)
_DROP_SEALS = _delete(tables.seal_keys)
_KEEP_POSITIONS = _upsert(tables.positions)
_DROP_POSITIONS = _delete(tables.positions)
_KEEP_SETTINGS = _upsert(tables.settings)
_KEEP_KEYS = _upsert(tables.idempotency_keys)
_MARK = _upsert(writers)
_MODELS = {each.name: _upsert(each.table, each.shape.fixed) for each in ROW_TABLES.values()}
DELETES = (_RELEASE, _DROP_DUE, _DROP_SEALS, _DROP_POSITIONS)
# Lists as JSON, and all in one row. Of a use's subject there is one entry with no number where no use is
# old enough to be measured against. Every look-up is made to go along its index, one by one: what the
# planner thinks of a table that grows fast is out of date.
FACTS = """
SELECT
  (SELECT json_agg(json_build_array(asked.stream, known.version))::text
    FROM unnest(%s::text[]) AS asked(stream)
    CROSS JOIN LATERAL (SELECT originator_version AS version FROM stored_events
      WHERE originator_id = asked.stream ORDER BY originator_version DESC LIMIT 1) AS known),
  (SELECT json_agg(json_build_array(asked.subject, held.holder))::text
    FROM unnest(%s::text[]) AS asked(subject)
    CROSS JOIN LATERAL (SELECT holder FROM holders
      WHERE subject = asked.subject OFFSET 0) AS held),
  (SELECT json_agg(json_build_array(name, position))::text
    FROM unnest(%s::text[]) AS asked(called)
    CROSS JOIN LATERAL (SELECT * FROM positions WHERE name = asked.called LIMIT 1) AS known),
  (SELECT json_agg(json_build_array(asked.subject, newest.number, used.number, used.at))::text
    FROM unnest(%s::text[], %s::bigint[], %s::bigint[]) AS asked(subject, count, hits)
    CROSS JOIN LATERAL (SELECT max(number) AS number FROM uses
      WHERE subject = asked.subject) AS newest
    LEFT JOIN LATERAL (SELECT number, at FROM uses WHERE subject = asked.subject
      AND number BETWEEN newest.number + 1 - asked.count
        AND newest.number + asked.hits - asked.count OFFSET 0) AS used ON true),
  (SELECT json_agg(json_build_array(
      scope, fingerprint, owner, lease_until, taken_at, encode(answer, 'base64')))::text
    FROM unnest(%s::text[]) AS asked(name)
    CROSS JOIN LATERAL (SELECT * FROM idempotency_keys WHERE scope = asked.name LIMIT 1) AS known),
  (SELECT max(notification_id) FROM stored_events),
  extract(epoch FROM clock_timestamp())::float8
"""
