"""Reads what a store has in its tables, and adds many rows to them at once, with the database's own means."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from watchword.adapters.event_store.batch.packed_append import LOG
from watchword.adapters.event_store.postgres.schema import stored_events
from watchword.adapters.event_store.rows import tables
from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.application.records.message import MessageRow
from watchword.application.records.pin import VerificationRow
from watchword.entrypoints.settings import Settings

from .copying import Rows

ROW_KINDS = (ROW_TABLES[VerificationRow], ROW_TABLES[MessageRow])
_TABLES = (
    stored_events,
    tables.people,
    tables.uses,
    tables.holders,
    *(each.table for each in ROW_KINDS),
)
# The names of the filled tables' columns; positions are the last of the log's.
COLUMNS = {each.name: tuple(column.name for column in each.columns) for each in _TABLES}


class Filling(ABC):
    """A connection to a store that no service has open."""

    position = "notification_id"
    # PostgreSQL's autovacuum would do the same soon after.
    _last = "VACUUM ANALYZE"

    def __init__(self, newest: int) -> None:
        self._positions = count(newest + 1)
        self.newest = newest

    @abstractmethod
    def read(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a statement with `%s` for its values."""

    def add(self, rows: Rows) -> None:
        """Add rows to their tables, in one transaction; events get the next positions."""
        for table, found in rows.items():
            names = COLUMNS[table]
            if table == stored_events.name:
                log = [(*each, next(self._positions)) for each in found]
                self._insert(table, (*names[:-1], self.position), log)
                self.newest += len(log)
            else:
                self._insert(table, names, found)
        self._commit()

    def finish(self) -> None:
        """Store the newest position, and leave the store as a service does."""
        self._commit()
        self._run(f"UPDATE positions SET position = {self.newest} WHERE name = '{LOG}'")
        self._run(self._last)

    @abstractmethod
    def _insert(self, table: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None: ...

    @abstractmethod
    def _run(self, statement: str) -> None: ...

    @abstractmethod
    def _commit(self) -> None: ...


class _SqliteFilling(Filling):
    position = "position"
    _last = "PRAGMA journal_mode = WAL"

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        ((newest,),) = connection.execute("SELECT max(position) FROM stored_events")
        super().__init__(newest)

    def read(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement.replace("%s", "?"), values).fetchall()

    def _insert(self, table: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        places = ", ".join("?" * len(names))
        self._connection.executemany(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", rows
        )

    def _run(self, statement: str) -> None:
        self._connection.execute(statement)
        self._connection.commit()

    def _commit(self) -> None:
        self._connection.commit()


class _PostgresFilling(Filling):
    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        ((newest,),) = connection.execute("SELECT max(notification_id) FROM stored_events")
        super().__init__(newest)

    def read(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement, values).fetchall()

    def _insert(self, table: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {table} ({', '.join(names)}) FROM STDIN") as copy,
        ):
            for each in rows:
                copy.write_row(each)

    def _run(self, statement: str) -> None:
        self._connection.autocommit = True
        self._connection.execute(statement)
        self._connection.autocommit = False

    def _commit(self) -> None:
        self._connection.commit()


@contextmanager
def filling(settings: Settings) -> Iterator[Filling]:
    """Open a store of the settings to fill it."""
    path = settings.store_url.path
    if path is None:
        with psycopg.connect(settings.store_url.text) as shared:
            yield _PostgresFilling(shared)
        return
    with closing(sqlite3.connect(Path(path))) as connection:
        # No journal: a failed run starts again with a new file.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -500000")
        yield _SqliteFilling(connection)
