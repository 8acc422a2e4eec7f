"""Others at the same store: a process that has it until it is killed, a node that waits for its turn."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg

from watchword.adapters.event_store.postgres.schema import LOCK
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.ports.event_store import Append

WRITES_AND_STAYS = """
import asyncio, pathlib, sys
from tests.contracts.event_store.histories import grown, step
from watchword.adapters.event_store.sqlite.store import SqliteEventStore

async def main():
    path, apart = pathlib.Path(sys.argv[1]), sys.argv[2] == "apart"
    store = await SqliteEventStore.open(path, writer_process=apart)
    print(await store.append(step(grown("key-orchid", by=2))), flush=True)
    sys.stdin.read()

asyncio.run(main())
"""


@asynccontextmanager
async def neighbour(path: Path, *, writer_process: bool = False) -> AsyncIterator[None]:
    """Have two events acknowledged to another process, which is killed at the end of the block."""
    other = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", WRITES_AND_STAYS, str(path), "apart" if writer_process else ""),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert other.stdout is not None
    try:
        assert b"[1, 2]\n" == await other.stdout.readline()
        yield
    finally:
        other.kill()
        await other.communicate()


# Of this database alone: other tests wait in theirs, on the same server.
_WAITING = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
WHERE NOT granted AND datname = current_database()
"""


async def waiting_for_its_turn(
    store: PostgresEventStore, append: Append, other: psycopg.Connection
) -> asyncio.Task[Sequence[int]]:
    """Begin an append while `other`, until its transaction ends, has the turn of all writers."""
    other.execute(LOCK)
    begun = asyncio.create_task(store.append(append))
    async with asyncio.timeout(5):
        while True:
            found = other.execute(_WAITING).fetchone()
            if found and found[0]:
                return begun
            await asyncio.sleep(0)
