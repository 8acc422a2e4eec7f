"""
A batch in two round trips: one reads all that settling needs, one writes what holds and commits.

Rows travel as one array for each column, so a statement has one text, however many they are.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from attrs import frozen
from eventsourcing.persistence import StoredEvent
from psycopg import Cursor, Pipeline
from sqlalchemy import BigInteger, Boolean, Float, Integer, LargeBinary, Table

from . import tables
from .packed_append import TableRows, key_record
from .postgres_schema import stored_events, writers
from .settling import Facts, Questions, Uses
from .tables import ROW_TABLES, RowTable

_decode = msgspec.json.Decoder().decode


def read_facts(
    cursor: Cursor[Any], pipeline: Pipeline, asked: Questions
) -> tuple[Facts, int, float]:
    """Read what settling a batch needs, the position of the newest event, and the database's clock."""
    wanted = [(subject, count, hits) for (subject, count), hits in asked.uses.items()]
    cursor.execute(
        _FACTS,
        (
            list(asked.streams),
            list(asked.holders),
            list(asked.positions),
            *([each[column] for each in wanted] for column in range(3)),
            list(asked.keys),
        ),
        prepare=True,
    )
    # Only behind a sync does the database limit its wait for a node that stands still in its turn.
    pipeline.sync()
    ((versions, holders, positions, uses, keys, newest, now),) = cursor.fetchall()
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


def write_batch(
    cursor: Cursor[Any],
    events: Sequence[StoredEvent],
    rows: TableRows,
    newest: int,
    mark: Sequence[Any],
) -> None:
    """Write the events behind position `newest`, everything beside them, and the writer's mark."""
    _run(
        cursor,
        _ADD_EVENTS,
        [
            (each.originator_id, each.originator_version, each.topic, each.state, position)
            for position, each in enumerate(events, newest + 1)
        ],
    )
    _run(cursor, _ADD_USES, rows.uses)
    _run(cursor, _HOLD, rows.holders)
    _run(cursor, _RELEASE, rows.holders_gone)
    _run(cursor, _ADD_DUE, rows.due)
    _run(cursor, _DROP_DUE, rows.due_gone)
    _run(cursor, _KEEP_SEALS, rows.seal_keys)
    _run(cursor, _DROP_SEALS, rows.seal_keys_gone)
    _run(cursor, _KEEP_POSITIONS, rows.positions)
    _run(cursor, _DROP_POSITIONS, rows.positions_gone)
    for table, values in rows.models.items():
        _run(cursor, _UPSERTS[table], values)
    _run(cursor, _KEEP_SETTINGS, rows.settings)
    _run(cursor, _KEEP_KEYS, rows.keys)
    _run(cursor, _MARK, [mark])


def _run(cursor: Cursor[Any], statement: str, rows: Sequence[Sequence[Any]]) -> None:
    if rows:
        cursor.execute(
            statement, [list(column) for column in zip(*rows, strict=True)], prepare=True
        )


def _listed(found: str | None) -> Any:
    return () if found is None else _decode(found)


@frozen
class _Into:
    """Statements for the rows of one table, each column an array."""

    table: Table

    def insert(self, conflict: str = "") -> str:
        """Insert rows."""
        names = ", ".join(self.table.columns.keys())
        return (
            f"INSERT INTO {self.table.name} ({names}) SELECT * FROM {self._arrays()} {conflict}"
        ).rstrip()

    def upsert(self, fixed: frozenset[str] = frozenset()) -> str:
        """Insert rows, or replace all of those of the same key but what is fixed."""
        names = self.table.columns.keys()
        keys = [each.name for each in self.table.primary_key]
        changing = [
            f"{each} = excluded.{each}" for each in names if each not in keys and each not in fixed
        ]
        action = f"UPDATE SET {', '.join(changing)}" if changing else "NOTHING"
        return self.insert(f"ON CONFLICT ({', '.join(keys)}) DO {action}")

    def delete(self) -> str:
        """Delete rows by their keys."""
        keys = [each.name for each in self.table.primary_key]
        gone = " AND ".join(f"{self.table.name}.{each} = gone.{each}" for each in keys)
        return (
            f"DELETE FROM {self.table.name}"
            f" USING {self._arrays(keys)} AS gone({', '.join(keys)}) WHERE {gone}"
        )

    def _arrays(self, names: Sequence[str] | None = None) -> str:
        columns = self.table.columns
        types = (_type_name(columns[each].type) for each in names or columns.keys())
        return f"unnest({', '.join(f'%s::{each}[]' for each in types)})"


def _type_name(column_type: Any) -> str:
    names = {
        BigInteger: "bigint",
        Boolean: "boolean",
        Float: "float8",
        Integer: "bigint",
        LargeBinary: "bytea",
    }
    return names.get(type(column_type), "text")


def _model(table: RowTable[Any]) -> str:
    return _Into(table.table).upsert(table.fixed)


_ADD_EVENTS = _Into(stored_events).insert()
_ADD_USES = _Into(tables.uses).insert()
_HOLD = _Into(tables.holders).upsert()
_RELEASE = _Into(tables.holders).delete()
_ADD_DUE = _Into(tables.due).upsert()
_DROP_DUE = _Into(tables.due).delete()
_KEEP_SEALS = _Into(tables.seal_keys).upsert()
_DROP_SEALS = _Into(tables.seal_keys).delete()
_KEEP_POSITIONS = _Into(tables.positions).upsert()
_DROP_POSITIONS = _Into(tables.positions).delete()
_KEEP_SETTINGS = _Into(tables.settings).upsert()
_KEEP_KEYS = _Into(tables.idempotency_keys).upsert()
_MARK = _Into(writers).upsert()
_UPSERTS = {each.name: _model(each) for each in ROW_TABLES.values()}
# Lists as JSON, and all in one row. Of a use's subject there is one entry with no number where no use is
# old enough to be measured against. Every look-up is made to go along its index, one by one: what the
# planner thinks of a table that grows fast is out of date.
_FACTS = """
SELECT
  (SELECT json_agg(json_build_array(asked.stream, known.version))::text
    FROM unnest(%s::text[]) AS asked(stream)
    CROSS JOIN LATERAL (SELECT max(originator_version) AS version FROM stored_events
      WHERE originator_id = asked.stream) AS known
    WHERE known.version IS NOT NULL),
  (SELECT json_agg(json_build_array(subject, holder))::text FROM holders
    WHERE subject = ANY(%s::text[])),
  (SELECT json_agg(json_build_array(name, position))::text FROM positions
    WHERE name = ANY(%s::text[])),
  (SELECT json_agg(json_build_array(asked.subject, newest.number, used.number, used.at))::text
    FROM unnest(%s::text[], %s::bigint[], %s::bigint[]) AS asked(subject, count, hits)
    CROSS JOIN LATERAL (SELECT max(number) AS number FROM uses
      WHERE subject = asked.subject) AS newest
    LEFT JOIN uses AS used ON used.subject = asked.subject
      AND used.number BETWEEN newest.number + 1 - asked.count
        AND newest.number + asked.hits - asked.count),
  (SELECT json_agg(json_build_array(
      scope, fingerprint, owner, lease_until, taken_at, encode(answer, 'base64')))::text
    FROM idempotency_keys WHERE scope = ANY(%s::text[])),
  (SELECT max(notification_id) FROM stored_events),
  extract(epoch FROM clock_timestamp())::float8
"""
