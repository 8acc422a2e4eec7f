"""One read transaction on a PostgreSQL store."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import ServerCursor
from psycopg.rows import tuple_row

from ....application.ports.snapshot import Flaw
from ...vault import Vault
from ..log.mapper import EventMapper
from ..sql.dialect import SqlDialect
from ..sql.snapshot import Reader, Rows, SqlSnapshot
from .connections import Connection
from .flaws import postgres_flaws

# Rows per round trip; so many of the largest rows still fit into memory.
_AT_ONCE = 50


class PostgresSnapshot(SqlSnapshot):
    """
    The database as seen by a transaction on a connection of its own.

    Nodes can write while it is open, but PostgreSQL cannot remove the rows that they replace.
    """

    def __init__(
        self,
        connection: Connection,
        read: Reader,
        mapper: EventMapper,
        vault: Vault,
        dialect: SqlDialect,
    ) -> None:
        super().__init__(read, mapper, vault, dialect, _AT_ONCE)
        self._connection = connection
        self._cursors: list[ServerCursor[Any]] = []

    def close(self) -> None:
        """End the transaction and close its connection."""
        with self._connection, suppress(psycopg.Error):
            for cursor in self._cursors:
                cursor.close()

    async def damage(self) -> Sequence[str]:
        """Return no damage: if PostgreSQL has checksums, it checks each page as it is read."""
        return ()

    async def flaws(self) -> Sequence[Flaw]:
        """Compare tables, indexes and settings with this release's."""
        return await self._read(postgres_flaws, self._connection)

    def _run(self, statement: str) -> Rows:
        # A server-side cursor, so that the rows of a large store are fetched in parts.
        cursor = self._connection.cursor(f"parts_{secrets.token_hex(8)}", row_factory=tuple_row)
        self._cursors.append(cursor)
        return cursor.execute(statement)

    def _select(self, statement: str, parameters: Sequence[Any]) -> Sequence[Sequence[Any]]:
        with self._connection.cursor(row_factory=tuple_row) as cursor:
            return cursor.execute(statement.replace("?", "%s"), parameters).fetchall()

    def _has_table(self, name: str) -> bool:
        found = self._connection.execute("SELECT to_regclass(%s) AS found", (name,)).fetchone()
        return found is not None and found["found"] is not None
