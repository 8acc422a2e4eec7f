"""A foreign process on the file: the service says so in time, and goes on when it lets go (R20)."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from time import perf_counter

from aiohttp import ClientSession

from tests.crash.checks import check_all
from tests.crash.load import ADMIN, Client, keep_silence, put_under_load, set_up
from tests.crash.notebook import Notebook
from tests.crash.record import Record
from tests.crash.server import connected, serving
from tests.crash.waiting import until, until_ready
from watchword.adapters.event_store.batch.group_commit import ANSWER_SECONDS

LOCKED_SECONDS = 20
# A machine with other work may be late by this; twice the time that an answer may take is never well.
GRACE_SECONDS = 4


async def test_a_lock_that_somebody_else_holds(tmp_path: Path) -> None:
    """For 20 s everything that writes is 503 after 5 s, and nothing else waits; then all is well."""
    notebook = Notebook()
    database = tmp_path / "watchword.db"
    async with serving(tmp_path) as server, connected(server) as session:
        client = Client(session, notebook)
        templates = await set_up(session)
        load = asyncio.gather(
            put_under_load(client, templates, Random(1)), keep_silence(client, templates)
        )
        await until(lambda: len(notebook.answered("create", 201)) >= 20)
        with closing(sqlite3.connect(database, isolation_level=None)) as foreign:
            foreign.execute("BEGIN IMMEDIATE")
            locked_at = perf_counter()
            await until_ready(session, status=503)
            while perf_counter() < locked_at + LOCKED_SECONDS:
                await check_reads(session, templates.many)
            while_locked = [each for each in notebook.exchanges if each.sent_at > locked_at]
            foreign.execute("ROLLBACK")
        await until_ready(session, status=200)
        again = len(notebook.exchanges)
        await until(lambda: any(each.status == 201 for each in notebook.exchanges[again:]))
        server.kill()
        await load
    record = await Record.of(database)

    # Refusals without an event, such as of a guess at a blocked PIN, need no write.
    assert {503} <= {each.status for each in while_locked} <= {503, 409, 410}
    assert max(each.seconds for each in while_locked) < ANSWER_SECONDS + GRACE_SECONDS
    check_all(notebook, record)


async def check_reads(session: ClientSession, template_id: str) -> None:
    """Requests that only read, or need no store, are answered as usual."""
    async with asyncio.timeout(GRACE_SECONDS):
        for path in ("/health/live", f"/admin/v1/pin-templates?search={template_id}"):
            async with session.get(path, headers=ADMIN) as answer:
                assert 200 == answer.status
    # Not a wait for something: it only leaves the machine to the load.
    await asyncio.sleep(0.1)
