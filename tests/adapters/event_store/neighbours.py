"""Another process that has the store, until it is killed."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

WRITES_AND_STAYS = """
import asyncio, pathlib, sys
from tests.contracts.event_store.histories import grown, step
from watchword.adapters.event_store.sqlite import SqliteEventStore

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
