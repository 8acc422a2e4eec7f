"""Creates the missing tables and columns of a SQLite store."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from eventsourcing.sqlite import SQLiteCursor
from sqlalchemy import Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from ..rows.indexes import index_statement
from ..rows.read_model_tables import ALL_TABLES
from ..rows.tables import added_columns
from .recorder import BatchRecorder

_DIALECT = sqlite.dialect()


def create_missing(recorder: BatchRecorder) -> None:
    """Create the missing tables, columns and indexes in one transaction."""
    with recorder.datastore.transaction(commit=True) as cursor:
        for table in ALL_TABLES:
            _add_columns(cursor, table)
        for statement in statements(recorder):
            cursor.execute(statement)


def statements(recorder: BatchRecorder) -> Sequence[str]:
    """Return the statements that create all missing tables and indexes."""
    return (*recorder.create_table_statements, *_beside_the_log())


@cache
def _beside_the_log() -> Sequence[str]:
    statements = []
    for table in ALL_TABLES:
        statements.append(str(CreateTable(table, if_not_exists=True).compile(dialect=_DIALECT)))
        statements += (
            index_statement(index, _DIALECT, if_not_exists=True)
            for index in sorted(table.indexes, key=lambda index: str(index.name))
        )
    return statements


def _add_columns(cursor: SQLiteCursor, table: Table) -> None:
    """
    Add the columns that a table of an earlier release lacks (D-495).

    The table is made anew: SQLite would write added columns behind the primary key, and an audit would report
    that as a difference.
    """
    cursor.execute("SELECT name FROM pragma_table_info(?)", (table.name,))
    found = [name for (name,) in map(tuple, cursor.fetchall())]
    if not added_columns(table, found):
        return
    kept, before = ", ".join(found), f"{table.name}_before"
    cursor.execute(f"ALTER TABLE {table.name} RENAME TO {before}")
    cursor.execute(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
        (before,),
    )
    for (index,) in list(map(tuple, cursor.fetchall())):
        cursor.execute(f"DROP INDEX {index}")
    cursor.execute(str(CreateTable(table).compile(dialect=_DIALECT)))
    cursor.execute(f"INSERT INTO {table.name} ({kept}) SELECT {kept} FROM {before}")
    cursor.execute(f"DROP TABLE {before}")
