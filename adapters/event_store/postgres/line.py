"""A connection to PostgreSQL on the event loop, opened when it is needed."""

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

# A line repeats a few statements, which always go along indexes. A single generic plan halves their
# cost, and does not depend on how tables looked while they were empty.
_PLAN_ONCE = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off"


class Line:
    """
    One connection for one task at a time.

    The reads of every request go through it, since threads of one interpreter would wait for each
    other at every answer of the database (D-62).
    """

    def __init__(self, connections: ThreadConnections) -> None:
        self._connections = connections
        self._connection: LineConnection | None = None
        # How often the connection was lost.
        self.losses = 0

    @property
    def connected(self) -> bool:
        """Whether there is a connection, as far as this process knows."""
        return self._connection is not None

    async def own(self) -> LineConnection:
        """Return the connection; open it if there is none; raise `psycopg.Error`."""
        if self._connection is None:
            self._connection = await self._opened()
        return self._connection

    async def fetch(self, statement: str, parameters: Sequence[Any] = ()) -> list[TupleRow]:
        """Run one reading statement; raise `StoreUnavailable`."""
        used_before = self.connected
        try:
            return await self._fetch(statement, parameters)
        except psycopg.Error as error:
            # A connection from before the outage fails only now.
            if not (await self.forget() and used_before):
                raise unavailable(error) from error
        try:
            return await self._fetch(statement, parameters)
        except psycopg.Error as error:
            await self.forget()
            raise unavailable(error) from error

    async def forget(self) -> bool:
        """
        Close the connection, as its state is unknown.

        Returns whether it was lost already.
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
        """End every wait for the database: the statements fail."""
        if self._connection is not None:
            shut(self._connection)

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
        try:
            adapt(connection)
            if not self._connections.read_only:
                cursor = await connection.execute(DURABILITY)
                require_durable(await cursor.fetchone())
        except BaseException:
            await connection.close()
            raise
        return connection
