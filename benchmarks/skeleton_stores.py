"""The skeleton's stores of PINs: SQLite with shared commits, PostgreSQL with a commit per request."""

from __future__ import annotations

import asyncio
import hmac
import sqlite3
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Protocol

import psycopg

Work = Callable[[sqlite3.Connection], bool]
Waiting = tuple[Work, "asyncio.Future[bool]"]
# Id, destination, reference, keyed hash, expiry.
Row = tuple[str, str, str | None, bytes, float]

_CONNECTIONS = 10
_TABLE = """
CREATE TABLE pins (
    id TEXT PRIMARY KEY,
    destination TEXT NOT NULL,
    reference_id TEXT,
    code_hash {blob} NOT NULL,
    expires_at {real} NOT NULL,
    verified_at {real}
)
"""
_FIND = "SELECT code_hash FROM pins WHERE id = {} AND expires_at > {} AND verified_at IS NULL"


class Keeper(Protocol):
    """Stores PINs; a call returns when its write is on disk."""

    async def keep(self, row: Row) -> None:
        """Store a PIN."""
        ...

    async def verify(self, pin_id: str, typed: bytes, now: float) -> bool:
        """Mark a PIN as verified if this is its hash; returns whether it was."""
        ...


async def keeper(database: str) -> Keeper:
    """Return the keeper for a PostgreSQL URL or for the path of a new file."""
    if database.startswith("postgresql://"):
        return await InPostgres.open(database)
    return InSqlite(database)


class InSqlite:
    """One thread with one connection; all waiting work shares a commit."""

    def __init__(self, database: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[Waiting] = SimpleQueue()
        Thread(target=self._run, args=(database,), daemon=True).start()

    async def keep(self, row: Row) -> None:
        """Store a PIN."""

        def insert(connection: sqlite3.Connection) -> bool:
            connection.execute("INSERT INTO pins VALUES (?, ?, ?, ?, ?, NULL)", row)
            return True

        await self._do(insert)

    async def verify(self, pin_id: str, typed: bytes, now: float) -> bool:
        """Mark a PIN as verified if this is its hash; returns whether it was."""

        def judge(connection: sqlite3.Connection) -> bool:
            found = connection.execute(_FIND.format("?", "?"), (pin_id, now)).fetchone()
            if found is None or not hmac.compare_digest(found[0], typed):
                return False
            connection.execute("UPDATE pins SET verified_at = ? WHERE id = ?", (now, pin_id))
            return True

        return await self._do(judge)

    def _do(self, work: Work) -> asyncio.Future[bool]:
        done: asyncio.Future[bool] = self._loop.create_future()
        self._queue.put((work, done))
        return done

    def _run(self, database: str) -> None:
        connection = sqlite3.connect(database, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(_TABLE.format(blob="BLOB", real="REAL") + "WITHOUT ROWID")
        while True:
            batch = [self._queue.get()]
            try:
                while True:
                    batch.append(self._queue.get_nowait())
            except Empty:
                pass
            connection.execute("BEGIN IMMEDIATE")
            results = [work(connection) for work, _ in batch]
            connection.execute("COMMIT")
            self._loop.call_soon_threadsafe(_set_results, batch, results)


class InPostgres:
    """A few connections; every request uses one and commits by itself."""

    def __init__(self) -> None:
        self._free: asyncio.Queue[psycopg.AsyncConnection] = asyncio.Queue()

    @classmethod
    async def open(cls, url: str) -> InPostgres:
        """Create the table and connect."""
        keeper = cls()
        for number in range(_CONNECTIONS):
            connection = await psycopg.AsyncConnection.connect(url, autocommit=True)
            if number == 0:
                await connection.execute(_TABLE.format(blob="bytea", real="float8"))
            keeper._free.put_nowait(connection)
        return keeper

    async def keep(self, row: Row) -> None:
        """Store a PIN."""
        await self._run("INSERT INTO pins VALUES (%s, %s, %s, %s, %s, NULL)", *row)

    async def verify(self, pin_id: str, typed: bytes, now: float) -> bool:
        """Mark a PIN as verified if this is its hash; returns whether it was."""
        found = await self._run(_FIND.format("%s", "%s"), pin_id, now)
        if not found or not hmac.compare_digest(found[0][0], typed):
            return False
        update = (
            "UPDATE pins SET verified_at = %s WHERE id = %s AND verified_at IS NULL RETURNING id"
        )
        return bool(await self._run(update, now, pin_id))

    async def _run(self, statement: str, *values: object) -> list[tuple[bytes]]:
        connection = await self._free.get()
        try:
            cursor = await connection.execute(statement, values, prepare=True, binary=True)
            return await cursor.fetchall() if cursor.description else []
        finally:
            self._free.put_nowait(connection)


def _set_results(batch: list[Waiting], results: list[bool]) -> None:
    for (_, done), result in zip(batch, results, strict=True):
        if not done.done():
            done.set_result(result)
