"""Creates the missing tables of a SQLite store."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from ..rows.indexes import index_statement
from ..rows.read_model_tables import ALL_TABLES
from .recorder import BatchRecorder

_DIALECT = sqlite.dialect()


def create_missing(recorder: BatchRecorder) -> None:
    """Create the missing tables and indexes in one transaction."""
    with recorder.datastore.transaction(commit=True) as cursor:
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
