"""One read transaction on a SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from ....application.ports.snapshot import Flaw
from ...vault import Vault
from ..log.mapper import EventMapper
from ..sql.dialect import SqlDialect
from ..sql.snapshot import Reader, Rows, SqlSnapshot
from .flaws import sqlite_flaws

# Reports all problems; the default stops at a hundred.
_CHECK = "PRAGMA integrity_check(1000000)"
_TABLE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"


class SqliteSnapshot(SqlSnapshot):
    """
    The file as seen by one transaction.

    The service can write while it is open, but its write-ahead log grows because it cannot be reset.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        read: Reader,
        mapper: EventMapper,
        vault: Vault,
        dialect: SqlDialect,
        making: Sequence[str],
    ) -> None:
        super().__init__(read, mapper, vault, dialect, at_once=1)
        self._connection = connection
        self._making = making

    async def damage(self) -> Sequence[str]:
        """Run SQLite's own check of tables, indexes and pages."""
        return await self._read(self._damage)

    async def flaws(self) -> Sequence[Flaw]:
        """Compare tables, indexes and settings with those of a new file."""
        return await self._read(sqlite_flaws, self._connection, self._making)

    def _run(self, statement: str) -> Rows:
        return self._connection.execute(statement)

    def _select(self, statement: str, parameters: Sequence[Any]) -> Sequence[Sequence[Any]]:
        return [tuple(row) for row in self._connection.execute(statement, parameters).fetchall()]

    def _has_table(self, name: str) -> bool:
        return self._connection.execute(_TABLE, (name,)).fetchone() is not None

    def _damage(self) -> list[str]:
        try:
            found = self._connection.execute(_CHECK)
            lines = [line for (text,) in found for line in text.splitlines()]
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CORRUPT:
                raise
            # The file is too damaged for the check.
            lines = [str(error)]
        return [line for line in lines if line != "ok" and not line.startswith("***")]
