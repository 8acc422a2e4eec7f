"""One read transaction on a SQLite file, walked through a part at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from eventsourcing.persistence import StoredEvent

from ...application.ports.snapshot import Held, KeptEvent, KeptRow
from ...application.read_models.rows import Row
from .mapper import EventMapper
from .tables import ROW_TABLES

T = TypeVar("T")
R = TypeVar("R", bound=Row)

# Rows that one turn of a reader thread brings along.
_PART = 500
_CHECK = "PRAGMA integrity_check"
_TABLE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name ="


class Reader(Protocol):
    """Runs work on a reader thread, and says its failures in the words of the port."""

    def __call__(self, work: Callable[..., T], *arguments: Any) -> Awaitable[T]:
        """Run it and give its result."""
        ...


class SqliteSnapshot:
    """
    The file as its transaction sees it.

    While it is open, the service beside it writes on, but cannot begin its write-ahead log anew.
    """

    def __init__(self, connection: sqlite3.Connection, read: Reader, mapper: EventMapper) -> None:
        self._connection = connection
        self._read = read
        self._mapper = mapper

    async def damage(self) -> Sequence[str]:
        """Run SQLite's own check of tables, indexes and pages."""
        return await self._read(self._damage)

    async def size(self) -> int:
        """Count the events."""
        ((count,),) = await self._read(self._all, "SELECT count(*) FROM stored_events")
        return int(count)

    def events(self) -> AsyncIterator[KeptEvent]:
        """Give every event, by stream and version."""
        return self._parts(
            "SELECT rowid, originator_id, originator_version, topic, state FROM stored_events"
            " ORDER BY originator_id, originator_version",
            lambda row: self._mapper.to_kept(StoredEvent(*row[1:]), row[0]),
        )

    async def rows(self, rows: type[R]) -> AsyncIterator[KeptRow[R]]:
        """Give every row of one read model, by key."""
        table = ROW_TABLES[rows]
        columns = ", ".join(table.table.columns.keys())
        # A read model that is newer than the last owner of the file has no table in it yet.
        if await self._read(self._all, f"{_TABLE} '{table.name}'"):
            statement = f"SELECT {columns} FROM {table.name} ORDER BY {table.key}"
            async for each in self._parts(statement, table.kept):
                yield each

    def holders(self) -> AsyncIterator[Held]:
        """Give who holds what, by holder and subject."""
        return self._parts(
            "SELECT holder, subject FROM holders ORDER BY holder, subject", lambda row: Held(*row)
        )

    async def _parts(self, statement: str, item: Callable[[Any], T]) -> AsyncIterator[T]:
        cursor = self._connection.cursor()

        def part() -> list[T]:
            return [item(tuple(row)) for row in cursor.fetchmany(_PART)]

        await self._read(cursor.execute, statement)
        while found := await self._read(part):
            for each in found:
                yield each

    def _damage(self) -> list[str]:
        try:
            told = [line for (text,) in self._all(_CHECK) for line in text.splitlines()]
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CORRUPT:
                raise
            # Too damaged even to be checked.
            told = [str(error)]
        return [line for line in told if line != "ok" and not line.startswith("***")]

    def _all(self, statement: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._connection.execute(statement)]
