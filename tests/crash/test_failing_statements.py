"""If the disk fails any statement, nothing is acknowledged that is not stored (C-9, R21)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession
from aiohttp.test_utils import TestServer
from attrs import frozen

from tests.crash.checks import check_all
from tests.crash.load import Client, Templates, set_up
from tests.crash.notebook import Exchange, Notebook
from tests.crash.record import Record
from tests.fakes.disks import PATIENCE, FailingDisk
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.event_store import LEASE_SECONDS
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.http.app import Exposure, build_app
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings

STATEMENTS = 100


@frozen
class Served:
    """A service on a disk that can fail, with a client that notes its answers."""

    client: Client
    templates: Templates
    disk: FailingDisk
    database: Path


@asynccontextmanager
async def served(data_dir: Path) -> AsyncIterator[Served]:
    """Serve HTTP in this process; nothing but its requests asks the disk for anything."""
    database = data_dir / "watchword.db"
    async with wired(Settings(sandbox=True, data_dir=data_dir), run_due=False) as service:
        assert isinstance(service.store, SqliteEventStore)
        disk = FailingDisk(service.store, database)
        app = build_app(service, Exposure(admin_token=SANDBOX_ADMIN_TOKEN))
        async with TestServer(app) as server, ClientSession(server.make_url("/")) as session:
            client = Client(session, Notebook())
            yield Served(client, await set_up(session), disk, database)


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
async def test_any_statement_may_fail(tmp_path: Path, lasting: bool) -> None:
    """For n = 1 to 100: 503 or an answer that is kept, and all works again on the mended disk."""
    async with served(tmp_path) as here:
        for number in range(1, STATEMENTS + 1):
            here.disk.fail_at(number, lasting=lasting)
            exchanges: list[Exchange] = []
            while not here.disk.failed:
                exchanges += await _life_of_a_pin(here)
            here.disk.mend()

            assert {each.status for each in exchanges} <= {201, 422, 200, 503}
            await _check_retry(here, exchanges)
            await _check_it_works(here)
        record = await Record.of(here.database)
    notebook = here.client.notebook

    assert len(notebook.unavailable()) >= STATEMENTS
    check_all(notebook, record)


async def test_nothing_is_told_before_its_commit_has_ended(tmp_path: Path) -> None:
    """While the disk has not said that it holds an event, no byte of its answer leaves (R3, R11)."""
    async with served(tmp_path) as here:
        await _check_it_works(here)  # and the first use of the key is noted
        here.disk.hesitant = True
        created = await _held_up(here, _create(here), commits=2)
        pin = f"/v1/pins/{created.content['pinId']}"
        post = here.client.post
        wrong = await _held_up(here, post("verify", f"{pin}/verify", {"pin": "wrong"}), commits=1)
        resent = await _held_up(here, post("resend", f"{pin}/resend", {}), commits=2)
        code = {"pin": await here.client.code(created.body["destination"])}
        right = await _held_up(here, post("verify", f"{pin}/verify", code), commits=1)
        here.disk.hesitant = False

    assert [201, 422, 200, 200] == [each.status for each in (created, wrong, resent, right)]


async def _held_up(here: Served, request: Awaitable[Exchange], commits: int) -> Exchange:
    """Send one request, and hold each of its commits up: it is answered after the last one."""
    asked = asyncio.ensure_future(request)
    for _ in range(commits):
        assert await asyncio.to_thread(here.disk.commit_begins.acquire, timeout=PATIENCE)
        for _ in range(5):
            async with here.client.session.get("/health/live") as live:
                assert 200 == live.status

        assert not asked.done()
        here.disk.commit_may_end.release()
    return await asked


async def _create(here: Served) -> Exchange:
    name = here.client.notebook.new_request_id()
    destination = f"+1558{int(name.removeprefix('load-')):07}9"
    body = {"destination": destination, "templateId": here.templates.many}
    return await here.client.post("create", "/v1/pins", body, name)


async def _life_of_a_pin(here: Served) -> list[Exchange]:
    """Create, guess wrong, resend, guess right, as far as the disk lets it."""
    client = here.client
    created = await _create(here)
    if created.status != 201:
        return [created]
    pin = f"/v1/pins/{created.content['pinId']}"
    wrong = await client.post("verify", f"{pin}/verify", {"pin": "wrong"})
    resent = await client.post("resend", f"{pin}/resend", {}, created.key)
    code = await client.code(created.body["destination"])
    right = await client.post("verify", f"{pin}/verify", {"pin": code})
    return [created, wrong, resent, right]


async def _check_retry(here: Served, exchanges: list[Exchange]) -> None:
    """The key of a refused request is free, or in progress for one lease at most."""
    for each in exchanges:
        if each.key and each.status == 503:
            again = await here.client.post(each.kind, each.path, each.body, each.key)

            assert again.status in (201, 200, 409)
            assert int(again.headers.get("Retry-After", 0)) <= LEASE_SECONDS


async def _check_it_works(here: Served) -> None:
    assert [201, 422, 200, 200] == [each.status for each in await _life_of_a_pin(here)]
    async with here.client.session.get("/health/ready") as answer:
        assert 200 == answer.status
