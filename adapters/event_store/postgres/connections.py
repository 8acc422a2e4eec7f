"""Connections to PostgreSQL, one per thread, with time-outs and reconnection."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from eventsourcing.postgres import PostgresDatastore
from psycopg import BaseConnection
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row, tuple_row
from psycopg.types.numeric import Int8Dumper

from ....application.ports.event_store import StoreUnavailable
from .parameters import parameters

Connection = psycopg.Connection[DictRow]

_DURABLE = ("fsync", "synchronous_commit")
DURABILITY = "SELECT current_setting('fsync'), current_setting('synchronous_commit')"


class ThreadConnections(PostgresDatastore):
    """
    The library's datastore with one connection per thread, and texts as stream ids.

    Threads are few and long-lived. While the database is down, the library's pool would wait longer
    and longer between its attempts to connect; here the next statement reconnects. Failures raise
    `StoreUnavailable`.
    """

    def __init__(self, url: str, *, read_only: bool) -> None:
        # The library's own pool stays closed.
        super().__init__("", "", "", "", "", originator_id_type="text")
        self.session = parameters(url, read_only=read_only)
        self.read_only = read_only
        self._own = threading.local()
        self._all: set[Connection] = set()
        self._preparing: set[Connection] = set()
        self.hung_up = False

    def register_type_adapters(self) -> None:
        """Do nothing: events travel as columns."""

    @contextmanager
    def get_connection(self) -> Iterator[Connection]:
        """Yield this thread's connection, outside of any transaction."""
        try:
            connection = self.own()
            try:
                yield connection
            finally:
                self._forget_unless_idle(connection)
        except psycopg.Error as error:
            raise unavailable(error) from error

    def fetch(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Run one reading statement; return its rows as tuples."""
        used_before = self.connected
        try:
            return self._fetch(statement, parameters)
        except StoreUnavailable:
            # A connection from before an outage fails at its next use; try once with a new one.
            if not used_before or self.connected:
                raise
            return self._fetch(statement, parameters)

    @property
    def connected(self) -> bool:
        """Whether this thread has a connection; the server may have closed it."""
        return getattr(self._own, "connection", None) is not None

    def own(self) -> Connection:
        """Return this thread's connection, and open it if needed; raises `psycopg.Error`."""
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = self.opened()
            self._all.add(connection)
            self.shut_if_hung_up(connection)
        return connection

    def opened(self, **parameters: Any) -> Connection:
        """Open a separate connection, which the caller closes; raises `psycopg.Error`."""
        if self.hung_up:
            raise StoreUnavailable("This store is closed.")
        connection = psycopg.connect(
            **{**self.session, **parameters}, autocommit=True, row_factory=dict_row
        )
        self._preparing.add(connection)
        self.shut_if_hung_up(connection)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        finally:
            self._preparing.discard(connection)
        return connection

    async def opened_to_listen(self) -> psycopg.AsyncConnection:
        """Open an asynchronous connection, which the caller closes; raises `psycopg.Error`."""
        return await psycopg.AsyncConnection.connect(**self.session, autocommit=True)

    def forget(self) -> bool:
        """
        Close this thread's connection, whose state is unknown.

        Return whether it was closed before.
        """
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            return True
        self._own.connection = None
        self._all.discard(connection)
        gone = connection.closed
        with suppress(psycopg.Error):
            connection.close()
        return gone

    def hang_up(self) -> None:
        """Make all statements fail that threads wait for, or send later."""
        self.hung_up = True
        for connection in (*self._all, *self._preparing):
            shut(connection)

    def shut_if_hung_up(self, connection: BaseConnection[Any]) -> None:
        """Make the statements of a new connection fail if `hang_up` looked before it was there."""
        if self.hung_up:
            shut(connection)

    def close(self) -> None:
        """Close every thread's connection."""
        for connection in tuple(getattr(self, "_all", ())):
            connection.close()
        super().close()

    def _fetch(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        with self.get_connection() as connection:
            cursor = connection.cursor(row_factory=tuple_row)
            return cursor.execute(statement, parameters, prepare=True).fetchall()

    def _forget_unless_idle(self, connection: Connection) -> None:
        if connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
            self.forget()

    def _prepare(self, connection: Connection) -> None:
        adapt(connection)
        if not self.read_only:
            cursor = connection.cursor(row_factory=tuple_row)
            require_durable(cursor.execute(DURABILITY).fetchone())


def adapt(connection: BaseConnection[Any]) -> None:
    """Set up a new connection; raises `StoreUnavailable` if the database is unsuitable."""
    # One width for all numbers: each further width would prepare a statement of its own.
    connection.adapters.register_dumper(int, Int8Dumper)
    if connection.info.parameter_status("server_encoding") != "UTF8":
        raise StoreUnavailable("The database does not keep UTF-8. Make one that does.")


def settings_off(settings: Sequence[str]) -> list[str]:
    """Return the names of the settings that are off in the answer to `DURABILITY`."""
    return [name for name, value in zip(_DURABLE, settings, strict=True) if value == "off"]


def require_durable(settings: Sequence[str] | None) -> None:
    """Raise `StoreUnavailable` if the database acknowledges before its disk has the data (R11)."""
    off = settings_off(settings or ())
    if off:
        raise StoreUnavailable(
            f"The database does not keep what is committed: {off[0]} is off. Turn it on."
        )


def shut(connection: BaseConnection[Any]) -> None:
    """Make the thread or task that waits on a connection fail."""
    # The connection cannot be closed while it is in use, but its socket can be shut down.
    with (
        suppress(psycopg.Error, OSError),
        socket.socket(fileno=os.dup(connection.fileno())) as its,
    ):
        its.shutdown(socket.SHUT_RDWR)


def unavailable(error: psycopg.Error) -> StoreUnavailable:
    """Translate an error to the port's, without the values that the database may quote."""
    reason = error.diag.message_primary or str(error).partition("\n")[0]
    return StoreUnavailable(f"The store cannot be used: {reason}.", type(error).__name__)
