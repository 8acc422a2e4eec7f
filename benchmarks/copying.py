"""The SQL that copies PINs and messages many times, each with its own ids, number and time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen
from sqlalchemy import Column, LargeBinary, String

from watchword.adapters.event_store.postgres.schema import stored_events
from watchword.adapters.event_store.rows import tables
from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.application.records.message import MessageRow
from watchword.application.records.pin import VerificationRow

# The texts that copies replace, wherever they are: part of an id, of a number, and of a second.
ID_PART, DIGITS, FRACTION = "c0ffee", "918273", ".999999"
# The copied tables, and the column that identifies the owner of a row.
_COPIED = (
    (stored_events, "originator_id"),
    (tables.uses, "subject"),
    (tables.holders, "holder"),
    (ROW_TABLES[VerificationRow].table, "pin_id"),
    (ROW_TABLES[MessageRow].table, "id"),
)


@frozen
class Dialect:
    """SQL that differs between databases; `{}` is a number of copies or a column."""

    numbers: str
    to_text: str
    to_bytes: str
    position: str


POSTGRES = Dialect(
    numbers=(
        "SELECT n, lpad(to_hex(n), 6, '0') AS hex, lpad(n::text, 6, '0') AS digits"
        " FROM generate_series(1, {}) AS n"
    ),
    to_text="convert_from({}, 'UTF8')",
    to_bytes="convert_to({}, 'UTF8')",
    position="notification_id",
)
SQLITE = Dialect(
    numbers=(
        "WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < {})"
        " SELECT n, printf('%06x', n) AS hex, printf('%06d', n) AS digits FROM counted"
    ),
    to_text="CAST({} AS TEXT)",
    to_bytes="CAST({} AS BLOB)",
    position="position",
)


def statements(dialect: Dialect, copies: int, events: int, pins: int) -> Iterator[str]:
    """Yield statements that make `copies` of a store with `pins` PINs and `events` events."""
    if not copies:
        return
    yield f"CREATE TEMP TABLE copies AS {dialect.numbers.format(copies)}"
    for table, owner in _COPIED:
        first = f"first_{table.name}"
        names = [
            dialect.position if each.name == "notification_id" else each.name
            for each in table.columns
        ]
        values = [_copied(each, dialect, events, pins) for each in table.columns]
        place = f"{dialect.position} AS place, " if table is stored_events else ""
        yield (
            f"CREATE TEMP TABLE {first} AS SELECT {place}* FROM {table.name}"
            f" WHERE {owner} LIKE '%{ID_PART}%' OR {owner} LIKE 'sends:%'"
        )
        yield (
            f"INSERT INTO {table.name} ({', '.join(names)})"
            f" SELECT {', '.join(values)} FROM copies CROSS JOIN {first}"
        )


def _copied(column: Column[Any], dialect: Dialect, events: int, pins: int) -> str:
    name = column.name
    if name == "notification_id":
        return f"place + n * {events}"
    if name == "number":
        # Uses of a template get the next numbers; each phone number has uses of its own.
        return f"number + CASE WHEN subject LIKE '%{DIGITS}%' THEN 0 ELSE n * {pins} END"
    if isinstance(column.type, LargeBinary):
        return dialect.to_bytes.format(_changed(dialect.to_text.format(name)))
    return _changed(name) if isinstance(column.type, String) else name


def _changed(text: str) -> str:
    return (
        f"replace(replace(replace({text}, '{ID_PART}', hex), '{DIGITS}', digits),"
        f" '{FRACTION}', '.' || digits)"
    )
