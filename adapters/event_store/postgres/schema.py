"""The tables of a PostgreSQL store, created once even if several nodes start together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import psycopg
from psycopg.rows import tuple_row
from sqlalchemy import BigInteger, Column, Index, LargeBinary, MetaData, Table
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateColumn, CreateTable, PrimaryKeyConstraint

from ....application.ports.event_store import StoreUnavailable
from ..rows.column_types import TEXT
from ..rows.indexes import index_statement
from ..rows.read_model_tables import ALL_TABLES, ROW_TABLES
from ..rows.tables import SCHEMA_SETTING, SCHEMA_VERSION, added_columns, tallies
from .connections import Connection

# With positional placeholders, as the driver needs them.
DIALECT: Dialect = PGDialect_psycopg(paramstyle="format")  # type: ignore[no-untyped-call]  # the dialect has no types
# Every writer holds this lock, so batches commit in the order of their positions. Each schema has its own
# lock, because one database can hold several stores.
LOCK = "SELECT pg_advisory_xact_lock(1463899479, hashtext(current_schema()))"
# Rows change soon after their insert. If their page has room, PostgreSQL need not change their indexes;
# without this setting, two of three changes of a PIN wrote to six indexes.
_FILL_PERCENT = 50
_CHANGING = {*(each.name for each in ROW_TABLES.values()), tallies.name}
# ANALYZE copies values of each column into the planner's statistics, where an erasure does not reach them
# (D-347). A look-up by an HMAC needs none, because the column is unique.
_KEYS = {"people": ("hmac", "wrapped_key"), "seal_keys": ("wrapped",)}

_metadata = MetaData()
# The library's names and types, but sorted by code points (D-57) and with positions of our own (D-55).
stored_events = Table(
    "stored_events",
    _metadata,
    Column("originator_id", TEXT, nullable=False),
    Column("originator_version", BigInteger, nullable=False),
    Column("topic", TEXT, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("notification_id", BigInteger, nullable=False),
    PrimaryKeyConstraint("originator_id", "originator_version"),
    Index("stored_events_notification_id_idx", "notification_id", unique=True),
)
# The newest batch of each writer, which tells whether a commit happened if its answer was lost.
writers = Table(
    "writers",
    _metadata,
    Column("writer", TEXT, primary_key=True),
    Column("batch", BigInteger, nullable=False),
)

TABLES: Sequence[Table] = (*_metadata.sorted_tables, *ALL_TABLES)


def current_schema(connection: Connection) -> str:
    """Return the schema of the tables; raises `StoreUnavailable` if the search path has none."""
    cursor = connection.cursor(row_factory=tuple_row)
    ((name,),) = cursor.execute("SELECT current_schema()").fetchall()
    if name is None:
        raise StoreUnavailable("The search path of the store's user names no schema that exists.")
    return str(name)


def create_missing(connection: Connection) -> None:
    """Create the missing tables, columns and indexes in one transaction, under the writers' lock."""
    with connection.transaction():
        connection.execute(LOCK)
        # An index of a long table takes long; a time-out would make every start begin it again.
        connection.execute("SET LOCAL statement_timeout = 0")
        for statement in _missing(connection):
            connection.execute(statement)
        connection.execute(
            "INSERT INTO settings VALUES (%s, %s) ON CONFLICT (name) DO NOTHING",
            (SCHEMA_SETTING, str(SCHEMA_VERSION)),
        )


def is_complete(connection: Connection) -> bool:
    """Return whether all tables, columns and indexes exist."""
    return not _missing(connection)


def schema_version(connection: Connection) -> str | None:
    """Return the version of the tables; None if there are none."""
    cursor = connection.cursor(row_factory=tuple_row)
    try:
        row = cursor.execute(
            "SELECT value FROM settings WHERE name = %s", (SCHEMA_SETTING,)
        ).fetchone()
    except psycopg.errors.UndefinedTable:
        return None
    return str(row[0]) if row else None


def _missing(connection: Connection) -> Sequence[str]:
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(
        "SELECT relname FROM pg_class WHERE relnamespace ="
        " quote_ident(current_schema())::regnamespace"
    )
    present = {name for (name,) in cursor}
    return [
        *_missing_columns(connection),
        *(statement for name, statement in _statements() if name not in present),
    ]


def _missing_columns(connection: Connection) -> Sequence[str]:
    """Return the statements that add missing columns to tables of an earlier release (D-495)."""
    cursor = connection.cursor(row_factory=tuple_row)
    cursor.execute(
        "SELECT c.relname, array_agg(a.attname::text) FROM pg_attribute a"
        " JOIN pg_class c ON c.oid = a.attrelid"
        " WHERE c.relnamespace = quote_ident(current_schema())::regnamespace"
        " AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped GROUP BY c.relname"
    )
    found: dict[str, Sequence[str]] = dict(cursor.fetchall())
    return [
        f"ALTER TABLE {table.name} ADD COLUMN {CreateColumn(column).compile(dialect=DIALECT)}"
        for table in TABLES
        for column in added_columns(table, found.get(table.name, ()))
    ]


@cache
def _statements() -> Sequence[tuple[str, str]]:
    statements = []
    for table in TABLES:
        made = str(CreateTable(table).compile(dialect=DIALECT))
        if table.name in _CHANGING:
            made += f" WITH (fillfactor = {_FILL_PERCENT})"
        for column in _KEYS.get(table.name, ()):
            made += f"; ALTER TABLE {table.name} ALTER {column} SET STATISTICS 0"
        statements.append((table.name, made))
        statements += (
            (str(index.name), index_statement(index, DIALECT))
            for index in sorted(table.indexes, key=lambda index: str(index.name))
        )
    return statements
