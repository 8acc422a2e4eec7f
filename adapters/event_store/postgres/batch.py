"""
A batch in two round trips: one reads the facts for settling, one writes accepted appends and commits.

If late appends join the batch, one more round trip in between reads the facts that they need.
Rows travel as one JSON array per column, so the number of rows does not change a statement's text.
One statement writes all tables, because each statement has a cost on the server.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
from attrs import frozen
from psycopg.pq.abc import PGresult
from sqlalchemy import Column, Table

from ..batch.budgets import Counts, Tallies
from ..batch.facts import Facts, Questions, Uses
from ..batch.packed_append import LOG, TableRows, key_record, person_record
from ..log.stored_event import StoredEvent
from ..rows import tables
from ..rows.read_model_tables import ROW_TABLES
from ..rows.row_shape import RowShape
from .columns import as_json, given, given_value
from .round_trips import Statement
from .schema import stored_events, writers

_decode = msgspec.json.Decoder().decode
_decode_tallies = msgspec.json.Decoder(list[tuple[str, list[tuple[int, Counts]]]]).decode
_decode_due = msgspec.json.Decoder(list[tuple[str, str, int, str | None]]).decode
# The columns of `FACTS`.
_FACTS = 10


def asking(asked: Questions) -> Statement:
    """Return the statement that reads the facts for settling a batch."""
    lists: Sequence[Any] = (
        asked.streams,
        asked.holders,
        asked.positions,
        [subject for subject, _ in asked.uses],
        [count for _, count in asked.uses],
        list(asked.uses.values()),
        asked.keys,
        asked.people,
        asked.living | asked.verified,
    )
    if not asked.tallies and not asked.due:
        return FACTS, [as_json(each) for each in lists]
    tallies = (list(asked.tallies), list(asked.tallies.values()))
    due = zip(*asked.due, strict=True) if asked.due else ((), (), ())
    return ALL_FACTS, [as_json(each) for each in (*lists, *tallies, *due)]


@frozen
class RoundTrip:
    """
    The result of a batch's first round trip, read while holding the lock that all nodes share.

    `newest` is the newest position that an event ever had, `now` the database's clock in seconds, and
    `waited` the seconds for which another node held the lock.
    """

    facts: Facts
    newest: int
    now: float
    waited: float


def read_round_trip(answer: PGresult) -> RoundTrip:
    """Decode the database's answer to `asking`."""
    versions, holders, positions, uses, keys, people, living, newest, now, waited = (
        _decode(answer.get_value(0, each) or b"[]") for each in range(_FACTS)
    )
    facts = Facts(versions=dict(versions), positions=dict(positions))
    for person_id, hmac, verified_at in living:
        facts.living[person_id] = hmac
        if verified_at is not None:
            facts.verified[person_id] = datetime.fromisoformat(verified_at)
    if answer.nfields > _FACTS:
        for subject, buckets in _decode_tallies(answer.get_value(0, _FACTS) or b"[]"):
            facts.tallies[subject] = Tallies.of(dict(buckets))
        for kind, stream, number, due_at in _decode_due(answer.get_value(0, _FACTS + 1) or b"[]"):
            at = None if due_at is None else datetime.fromisoformat(due_at)
            facts.due[kind, stream, number] = at
    for subject, holder in holders:
        facts.holders.setdefault(subject, set()).add(holder)
    for subject, last, number, at in uses:
        known = facts.uses.setdefault(subject, Uses(last or 0))
        if number is not None:
            known.times[number] = datetime.fromisoformat(at)
    for scope, *record, kept in keys:
        facts.keys[scope] = key_record((*record, None if kept is None else b64decode(kept)))
    for *person, wrapped, verified_at in people:
        known_person = person_record((*person, b64decode(wrapped), verified_at))
        facts.people[known_person.hmac] = known_person
    return RoundTrip(facts, newest or 0, now, waited)


def writing(
    events: Sequence[StoredEvent], rows: TableRows, newest: int, mark: Sequence[Any]
) -> Statement:
    """Return the statement that writes events after position `newest`, their rows, and a mark."""
    logged = [(*event, position) for position, event in enumerate(events, newest + 1)]
    newest_of_log = [(LOG, newest + len(logged))] if logged else []
    parts = [
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
            (_KEEP_PEOPLE, rows.people),
            (_DROP_PEOPLE, rows.people_gone),
            (_VERIFY, rows.verified),
            (_KEEP_TALLIES, rows.tallies),
            (_DROP_TALLIES, rows.tallies_gone),
            (_KEEP_POSITIONS, [*rows.positions, *newest_of_log]),
            (_DROP_POSITIONS, rows.positions_gone),
            *((_MODELS[table], values) for table, values in rows.models.items()),
            *((_WHOLE[table], values) for table, values in rows.whole.items()),
            *((REMOVALS[table], keys) for table, keys in rows.models_gone.items()),
            (_KEEP_SETTINGS, rows.settings),
            (_KEEP_KEYS, rows.keys),
            (_MARK, (mark,)),
        )
        if values
    ]
    return (
        statement(tuple(part for part, _ in parts)),
        [as_json(each) for _, values in parts for each in zip(*values, strict=True)],
    )


@lru_cache(maxsize=256)
def statement(parts: tuple[str, ...]) -> str:
    """Join parts into one statement; no two parts may write the same row."""
    *before, last = parts
    named = ",\n".join(f"part_{number} AS ({text})" for number, text in enumerate(before))
    return f"WITH {named}\n{last}" if named else last


def _insert(table: Table, conflict: str = "") -> str:
    names = ", ".join(table.columns.keys())
    values = ", ".join(map(given_value, table.columns))
    return (
        f"INSERT INTO {table.name} ({names}) SELECT {values} FROM {given(table.columns)} {conflict}"
    )


def _upsert(table: Table, shape: RowShape | None = None) -> str:
    """Insert rows; in a row with an existing key, update the columns that may change."""
    names, keys = (
        [each.name for each in columns] for columns in (table.columns, table.primary_key)
    )
    changing = (
        ", ".join(f"{each} = excluded.{each}" for each in names if each not in keys)
        if shape is None
        else shape.assignments()
    )
    action = f"UPDATE SET {changing}" if changing else "NOTHING"
    return _insert(table, f"ON CONFLICT ({', '.join(keys)}) DO {action}")


def _update(table: Table, column: Column[Any]) -> str:
    """Update a column of the rows with some keys, with a separate index look-up for each."""
    columns = (*table.primary_key, column)
    same = " AND ".join(f"{each.name} = {given_value(each)}" for each in table.primary_key)
    return (
        f"UPDATE {table.name} SET {column.name} = found.value FROM"
        f" (SELECT known.ctid AS place, {given_value(column)} AS value FROM {given(columns)}"
        f" CROSS JOIN LATERAL (SELECT ctid FROM {table.name} WHERE {same} LIMIT 1) AS known)"
        f" AS found WHERE {table.name}.ctid = found.place"
    )


def _delete(table: Table) -> str:
    """Delete rows by key, with a separate index look-up for each."""
    same = " AND ".join(f"{each.name} = {given_value(each)}" for each in table.primary_key)
    return (
        f"DELETE FROM {table.name} WHERE ctid = ANY(ARRAY("
        f"SELECT found.ctid FROM {given(table.primary_key)}"
        f" CROSS JOIN LATERAL (SELECT ctid FROM {table.name} WHERE {same} LIMIT 1) AS found))"
    )


_ADD_EVENTS = _insert(stored_events)
_ADD_USES = _insert(tables.uses)
_HOLD = _upsert(tables.holders)
_RELEASE = _delete(tables.holders)
_ADD_DUE = _upsert(tables.due)
_DROP_DUE = _delete(tables.due)
_KEEP_SEALS = _upsert(tables.seal_keys)
_DROP_SEALS = _delete(tables.seal_keys)
_KEEP_PEOPLE = _upsert(tables.people)
_DROP_PEOPLE = _delete(tables.people)
_VERIFY = _update(tables.people, tables.people.c.verified_at)
_KEEP_TALLIES = _upsert(tables.tallies)
_DROP_TALLIES = _delete(tables.tallies)
_KEEP_POSITIONS = _upsert(tables.positions)
_DROP_POSITIONS = _delete(tables.positions)
_KEEP_SETTINGS = _upsert(tables.settings)
_KEEP_KEYS = _upsert(tables.idempotency_keys)
_MARK = _upsert(writers)
_MODELS = {each.name: _upsert(each.table, each.shape) for each in ROW_TABLES.values()}
_WHOLE = {each.name: _upsert(each.table) for each in ROW_TABLES.values()}
REMOVALS = {each.name: _delete(each.table) for each in ROW_TABLES.values()}
BY_KEYS = (
    _RELEASE,
    _DROP_DUE,
    _DROP_SEALS,
    _DROP_PEOPLE,
    _VERIFY,
    _DROP_TALLIES,
    _DROP_POSITIONS,
)
# One row of JSON lists. A subject whose uses are all too new has one entry without a use's number. LIMIT
# and OFFSET 0 force an index look-up for each key: the planner's statistics of a fast-growing table are
# out of date.
FACTS = f"""
SELECT
  (SELECT json_agg(json_build_array(asked.stream, known.version))::text
    FROM json_array_elements_text(%s) AS asked(stream)
    CROSS JOIN LATERAL (SELECT originator_version AS version FROM stored_events
      WHERE originator_id = asked.stream ORDER BY originator_version DESC LIMIT 1) AS known),
  (SELECT json_agg(json_build_array(asked.subject, held.holder))::text
    FROM json_array_elements_text(%s) AS asked(subject)
    CROSS JOIN LATERAL (SELECT holder FROM holders
      WHERE subject = asked.subject OFFSET 0) AS held),
  (SELECT json_agg(json_build_array(name, position))::text
    FROM json_array_elements_text(%s) AS asked(called)
    CROSS JOIN LATERAL (SELECT * FROM positions WHERE name = asked.called LIMIT 1) AS known),
  (SELECT json_agg(json_build_array(asked.subject, newest.number, used.number, used.at))::text
    FROM ROWS FROM (json_array_elements_text(%s), json_array_elements_text(%s),
      json_array_elements_text(%s)) AS asked(subject, count, hits)
    CROSS JOIN LATERAL (SELECT max(number) AS number FROM uses
      WHERE subject = asked.subject) AS newest
    LEFT JOIN LATERAL (SELECT number, at FROM uses WHERE subject = asked.subject
      AND number BETWEEN newest.number + 1 - asked.count::bigint
        AND newest.number + asked.hits::bigint - asked.count::bigint OFFSET 0) AS used ON true),
  (SELECT json_agg(json_build_array(
      scope, fingerprint, owner, lease_until, taken_at, person,
      encode(answer, 'base64')))::text
    FROM json_array_elements_text(%s) AS asked(name)
    CROSS JOIN LATERAL (SELECT * FROM idempotency_keys WHERE scope = asked.name LIMIT 1) AS known),
  (SELECT json_agg(json_build_array(
      person, account, hmac, key_version, encode(wrapped_key, 'base64'), verified_at))::text
    FROM json_array_elements_text(%s) AS asked(met)
    CROSS JOIN LATERAL (SELECT * FROM people WHERE hmac = asked.met LIMIT 1) AS known),
  (SELECT json_agg(json_build_array(person, hmac, verified_at))::text
    FROM json_array_elements_text(%s) AS asked(named)
    CROSS JOIN LATERAL (SELECT * FROM people WHERE person = asked.named LIMIT 1) AS known),
  greatest((SELECT max(notification_id) FROM stored_events),
    (SELECT position FROM positions WHERE name = '{LOG}')),
  extract(epoch FROM clock_timestamp())::float8,
  extract(epoch FROM statement_timestamp() - transaction_timestamp())::float8
"""
# Most batches of a store without a guard have no budgets, and few put a due row off: they ask for neither.
ALL_FACTS = f"""{FACTS},
  (SELECT json_agg(json_build_array(asked.subject, known.buckets))::text
    FROM ROWS FROM (json_array_elements_text(%s), json_array_elements_text(%s))
      AS asked(subject, oldest)
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_array(bucket, json_build_array(sent, verified))) AS buckets
      FROM (SELECT bucket, sent, verified FROM tallies WHERE subject = asked.subject
        AND bucket >= asked.oldest::bigint OFFSET 0) AS found) AS known
    WHERE known.buckets IS NOT NULL),
  (SELECT json_agg(json_build_array(asked.kind, asked.stream, asked.number::bigint, known.at))::text
    FROM ROWS FROM (json_array_elements_text(%s), json_array_elements_text(%s),
      json_array_elements_text(%s)) AS asked(kind, stream, number)
    LEFT JOIN LATERAL (SELECT at FROM due WHERE kind = asked.kind AND stream = asked.stream
      AND number = asked.number::bigint LIMIT 1) AS known ON true)
"""
