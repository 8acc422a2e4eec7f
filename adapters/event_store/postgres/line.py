"""A connection to PostgreSQL on the event loop, opened on first use."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import psycopg
from psycopg.rows import TupleRow, tuple_row

from ....application.ports.event_store import StoreUnavailable
from .connections import (
    DURABILITY,
    ThreadConnections,
    adapt,
    require_durable,
    shut,
    unavailable,
)
from .round_trips import LineConnection

# This connection repeats a few statements that should always use indexes. Planned once, they cost
# half, and no plan depends on the statistics of empty tables.
_PLAN_ONCE = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off"


class Line:
    """
    One connection, for one task at a time.

    It runs the statements of the hot path. On threads, each answer of the database would wait for the
    interpreter lock (D-62).
    """

    def __init__(self, connections: ThreadConnections) -> None:
        self._connections = connections
        self._connection: LineConnection | None = None
        self._preparing: LineConnection | None = None
        # How often the connection was dropped.
        self.losses = 0

    @property
    def connected(self) -> bool:
        """Whether there is a connection; the server may have closed it."""
        return self._connection is not None

    async def own(self) -> LineConnection:
        """Return the connection, and open it if needed; raises `psycopg.Error`."""
        if self._connection is None:
            self._connection = await self._opened()
        return self._connection

    async def fetch(self, statement: str, parameters: Sequence[Any] = ()) -> list[TupleRow]:
        """Run one reading statement; raise `StoreUnavailable`."""
        used_before = self.connected
        try:
            return await self._fetch(statement, parameters)
        except psycopg.Error as error:
            # A connection from before an outage fails at its next use; try once with a new one.
            if not (await self.forget() and used_before):
                raise unavailable(error) from error
        try:
            return await self._fetch(statement, parameters)
        except psycopg.Error as error:
            await self.forget()
            raise unavailable(error) from error

    async def forget(self) -> bool:
        """
        Close the connection, whose state is unknown.

        Return whether it was closed before.
        """
        if self._connection is None:
            return True
        connection, self._connection = self._connection, None
        self.losses += 1
        gone = connection.closed
        with suppress(psycopg.Error):
            await connection.close()
        return gone

    def hang_up(self) -> None:
        """Make the statement fail that a task waits for."""
        for connection in (self._connection, self._preparing):
            if connection is not None:
                shut(connection)

    async def _fetch(self, statement: str, parameters: Sequence[Any]) -> list[TupleRow]:
        cursor = await (await self.own()).execute(statement, parameters, prepare=True, binary=True)
        return await cursor.fetchall()

    async def _opened(self) -> LineConnection:
        session = self._connections.session
        if self._connections.hung_up:
            raise StoreUnavailable("This store is closed.")
        connection = await LineConnection.connect(
            **{**session, "options": f"{session['options']} {_PLAN_ONCE}"},
            autocommit=True,
            row_factory=tuple_row,
        )
        self._preparing = connection
        self._connections.shut_if_hung_up(connection)
        try:
            adapt(connection)
            if not self._connections.read_only:
                cursor = await connection.execute(DURABILITY)
                require_durable(await cursor.fetchone())
        except BaseException:
            await connection.close()
            raise
        finally:
            self._preparing = None
        return connection
