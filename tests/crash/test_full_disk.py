"""No room on the disk of a real server: refused, alive, and well again once there is room (R21)."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from tests.crash.checks import check_all
from tests.crash.load import Client, put_under_load, set_up
from tests.crash.notebook import Notebook
from tests.crash.record import Record
from tests.crash.server import connected, serving
from tests.crash.waiting import until, until_ready

LIMITS = 100
# A create writes some 80 kB in two commits, a page and its header in 4,120 bytes: each of its writes is cut
# off by some limit, at the first byte or in the middle.
STEP = 900


async def test_any_write_may_find_no_room(tmp_path: Path) -> None:
    """For 100 sizes that the log may not exceed: 503, or an answer that is kept; then it goes on."""
    notebook = Notebook()
    database = tmp_path / "watchword.db"
    async with serving(tmp_path) as server, connected(server) as session:
        client = Client(session, notebook)
        templates = await set_up(session)
        for number in range(1, LIMITS + 1):
            body = {"destination": f"+1558{number:07}9", "templateId": templates.many}
            _empty_the_log(database)
            server.limit_files(number * STEP)
            cut_off = await client.post("create", "/v1/pins", body, f"cut-{number}")
            server.limit_files()
            created = await client.post("create", "/v1/pins", body)

            assert cut_off.status in (201, 503)
            assert 201 == created.status
            guess = f"/v1/pins/{created.content['pinId']}/verify"
            _empty_the_log(database)
            server.limit_files(number * STEP // 4)
            unheard = await client.post("verify", guess, {"pin": "wrong"})
            server.limit_files()
            exchange = await client.post("verify", guess, {"pin": "wrong"})

            assert unheard.status in (422, 503)
            assert 422 == exchange.status
        server.kill()
    record = await Record.of(database)

    assert {201, 503} == {each.status for each in notebook.answered("create")}
    assert {422, 503} == {each.status for each in notebook.answered("verify")}
    check_all(notebook, record)


async def test_a_full_disk_under_load(tmp_path: Path) -> None:
    """While there is no room nothing succeeds and it is not ready; with room it works by itself."""
    notebook = Notebook()
    async with serving(tmp_path) as server, connected(server) as session:
        client = Client(session, notebook)
        load = asyncio.create_task(put_under_load(client, await set_up(session), Random(1)))
        await until(lambda: len(notebook.answered("create", 201)) >= 20)
        server.limit_files((tmp_path / "watchword.db-wal").stat().st_size)
        await until_ready(session, status=503)
        full = len(notebook.exchanges)
        await until(lambda: len(notebook.exchanges) >= full + 200)
        while_full = notebook.exchanges[full:]
        async with session.get("/health/live") as live:
            assert 200 == live.status
        server.limit_files()
        await until_ready(session, status=200)
        again = len(notebook.exchanges)
        await until(lambda: any(each.status == 201 for each in notebook.exchanges[again:]))
        server.kill()
        await load
    record = await Record.of(tmp_path / "watchword.db")

    # Refusals without an event, such as of a guess at a superseded PIN, need no write.
    assert {503} <= {each.status for each in while_full} <= {503, 409, 410}
    check_all(notebook, record)


def _empty_the_log(database: Path) -> None:
    """Have all that is in the write-ahead log in the database, and the next write at its start."""
    with closing(sqlite3.connect(database, isolation_level=None)) as beside:
        assert 0 == beside.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
