"""One read transaction on a SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from .mapper import EventMapper
from .sql_snapshot import Reader, Rows, SqlSnapshot

_CHECK = "PRAGMA integrity_check"
_TABLE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"


class SqliteSnapshot(SqlSnapshot):
    """
    The file as its transaction sees it.

    While it is open, the service beside it writes on, but cannot begin its write-ahead log anew.
    """

    def __init__(self, connection: sqlite3.Connection, read: Reader, mapper: EventMapper) -> None:
        super().__init__(read, mapper, "rowid")
        self._connection = connection

    async def damage(self) -> Sequence[str]:
        """Run SQLite's own check of tables, indexes and pages."""
        return await self._read(self._damage)

    def _run(self, statement: str) -> Rows:
        return self._connection.execute(statement)

    def _has_table(self, name: str) -> bool:
        return self._connection.execute(_TABLE, (name,)).fetchone() is not None

    def _damage(self) -> list[str]:
        try:
            found = self._connection.execute(_CHECK)
            told = [line for (text,) in found for line in text.splitlines()]
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CORRUPT:
                raise
            # Too damaged even to be checked.
            told = [str(error)]
        return [line for line in told if line != "ok" and not line.startswith("***")]
