"""The bytes that a store has on disk."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg

from ..targets import Database

_PAGES = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"


def size_of(home: Path, database: Database | None) -> int:
    """Return the size of a store that a server may have open, with what its journal adds to it."""
    if database is not None:
        with psycopg.connect(database.url) as connection:
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    else:
        with closing(sqlite3.connect(f"file:{home / 'watchword.db'}?mode=ro", uri=True)) as file:
            row = file.execute(_PAGES).fetchone()
    assert row is not None
    return int(row[0])
