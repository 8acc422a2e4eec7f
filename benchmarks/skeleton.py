"""
The least that a durable PIN service can do, and so the ceiling for one process of ours.

A bearer check, a random code, a keyed hash, one table; a request is answered once its write is on
the disk. No tenant, template, limit, idempotency, history or message.

`python -m benchmarks.skeleton PHONE_PORT DATABASE`
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import sqlite3
import sys
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread

import msgspec
from aiohttp import web

from . import event_loop
from .listening import KEY, Phone, answer, issued, listen, new_code, verified

Work = Callable[[sqlite3.Connection], int]
Waiting = tuple[Work, "asyncio.Future[int]"]

_TIME_TO_LIVE = 600
_BEARER = f"Bearer {KEY}"
_TABLE = """
CREATE TABLE pins (
    id TEXT PRIMARY KEY,
    destination TEXT NOT NULL,
    reference_id TEXT,
    code_hash BLOB NOT NULL,
    expires_at REAL NOT NULL,
    verified_at REAL
) WITHOUT ROWID
"""


class Writer:
    """One thread, one connection; all work that waits shares a commit."""

    def __init__(self, database: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[Waiting] = SimpleQueue()
        Thread(target=self._run, args=(database,), daemon=True).start()

    def do(self, work: Work) -> asyncio.Future[int]:
        """Have work done; its result comes after the commit."""
        done: asyncio.Future[int] = self._loop.create_future()
        self._queue.put((work, done))
        return done

    def _run(self, database: str) -> None:
        connection = sqlite3.connect(database, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(_TABLE)
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
            self._loop.call_soon_threadsafe(_tell, batch, results)


def _tell(batch: list[Waiting], results: list[int]) -> None:
    for (_, done), result in zip(batch, results, strict=True):
        if not done.done():
            done.set_result(result)


class Skeleton:
    """Create and verify."""

    def __init__(self, writer: Writer, phone: Phone) -> None:
        self._writer = writer
        self._phone = phone
        self._secret = secrets.token_bytes(32)

    async def issue(self, request: web.Request) -> web.Response:
        """Make a PIN, keep it, send its code."""
        if not _authorized(request):
            return answer(401, {})
        body = msgspec.json.decode(await request.read())
        pin_id, code = f"pin_{secrets.token_hex(16)}", new_code()
        destination, expires_at = body["destination"], time.time() + _TIME_TO_LIVE
        row = (pin_id, destination, body.get("referenceId"), self._hash(pin_id, code), expires_at)

        def insert(connection: sqlite3.Connection) -> int:
            connection.execute("INSERT INTO pins VALUES (?, ?, ?, ?, ?, NULL)", row)
            return 201

        await self._writer.do(insert)
        self._phone.send(destination, code)
        return issued(pin_id)

    async def verify(self, request: web.Request) -> web.Response:
        """Compare a code with the one that was sent."""
        if not _authorized(request):
            return answer(401, {})
        pin_id = request.match_info["id"]
        typed = self._hash(pin_id, msgspec.json.decode(await request.read())["pin"])
        now = time.time()

        def judge(connection: sqlite3.Connection) -> int:
            found = connection.execute(
                "SELECT code_hash FROM pins WHERE id = ? AND expires_at > ? AND verified_at IS NULL",
                (pin_id, now),
            ).fetchone()
            if found is None or not hmac.compare_digest(found[0], typed):
                return 422
            connection.execute("UPDATE pins SET verified_at = ? WHERE id = ?", (now, pin_id))
            return 200

        status = await self._writer.do(judge)
        return verified(pin_id) if status == 200 else answer(status, {})

    def _hash(self, pin_id: str, code: str) -> bytes:
        return hmac.digest(self._secret, f"{pin_id}\0{code}".encode(), hashlib.sha256)


def _authorized(request: web.Request) -> bool:
    given = request.headers.get("Authorization", "")
    return hmac.compare_digest(given.encode(), _BEARER.encode())


async def main(phone: Phone, database: str) -> None:
    """Serve."""
    skeleton = Skeleton(Writer(database), phone)
    await listen(
        [
            web.post("/v1/pins", skeleton.issue),
            web.post("/v1/pins/{id}/verify", skeleton.verify),
        ]
    )


if __name__ == "__main__":
    event_loop.run(main(Phone(int(sys.argv[1])), sys.argv[2]))
