"""PostgreSQL stopped or locked: answers come in time, invent nothing, and recover soon (R20)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import perf_counter

import psycopg
import pytest
from aiohttp import ClientSession
from attrs import frozen

from tests.crash.checks import check_all
from tests.crash.load import ADMIN, Client, Templates, put_under_load, set_up
from tests.crash.nodes import SpreadClient, node
from tests.crash.notebook import Exchange, Notebook
from tests.crash.record import Record
from tests.crash.server import connected
from tests.crash.waiting import until, until_ready
from tests.databases import own_server
from watchword.adapters.event_store.batch.group_commit import ANSWER_SECONDS

AWAY_SECONDS = 20
RECOVERY_SECONDS = 10
# A stop that ends well finds nothing to recover at the start: it need not be away for long.
SHORTLY = 2
WORKERS = 6
# A machine with other work may be late by this; twice the time that an answer may take is never well.
GRACE_SECONDS = 4
CODES = 4
# The locked tables, and the requests that are still answered.
FOREIGN_LOCKS = {
    "the log's table": ("LOCK TABLE stored_events IN ACCESS EXCLUSIVE MODE", ["/health/live"]),
    "the writers' turn": (
        "SELECT pg_advisory_xact_lock(1463899479, hashtext('public'))",
        ["/health/live", "/admin/v1/pin-templates"],
    ),
}


@frozen
class Troubled:
    """Two nodes under load."""

    client: Client
    sessions: Sequence[ClientSession]
    templates: Templates

    @property
    def exchanges(self) -> list[Exchange]:
        """All that was asked and answered."""
        return self.client.notebook.exchanges

    async def until_sending(self) -> None:
        """Wait until both nodes say that they are ready, and PINs are sent again; 10 s at most."""
        async with asyncio.timeout(RECOVERY_SECONDS):
            for session in self.sessions:
                await until_ready(session, status=200)
            again = len(self.exchanges)
            await until(
                lambda: sum(each.status == 201 for each in self.exchanges[again:]) >= WORKERS
            )

    async def codes(self) -> list[tuple[str, str]]:
        """Send some PINs, and return where each is verified, with its code."""
        sent = []
        for number in range(CODES):
            destination = f"+1556{len(self.exchanges):08}{number}9"
            body = {"destination": destination, "templateId": self.templates.many}
            exchange = await self.client.post("create", "/v1/pins", body)
            code = await self.client.code(destination)
            sent.append((f"/v1/pins/{exchange.content['pinId']}/verify", code))
        return sent

    async def type_in(self, codes: list[tuple[str, str]]) -> set[int]:
        """Verify codes, and return the results."""
        typed = (self.client.post("verify", path, {"pin": code}) for path, code in codes)
        return {each.status for each in await asyncio.gather(*typed)}

    async def until_told(self) -> None:
        """Wait until both nodes say that they are not ready."""
        for session in self.sessions:
            await until_ready(session, status=503)


@asynccontextmanager
async def under_load(url: str, folder: Path) -> AsyncIterator[Troubled]:
    """Yield two nodes under load; at the end of the block they are killed, and everything compared."""
    notebook = Notebook()
    async with (
        node(url, folder) as one,
        node(url, folder) as two,
        connected(one) as first,
        connected(two) as second,
    ):
        client = SpreadClient(first, notebook, others=(second,))
        troubled = Troubled(client, (first, second), await set_up(first))
        load = asyncio.create_task(put_under_load(client, troubled.templates, Random(1), WORKERS))
        await until(lambda: len(notebook.answered("create", 201)) >= WORKERS)
        try:
            yield troubled
        finally:
            one.kill()
            two.kill()
            await load
    check_all(notebook, await Record.of(url))


async def test_a_database_that_is_stopped(tmp_path: Path) -> None:
    """While it is away all is 503, in time; soon after its start everything works, with no restart."""
    with own_server() as server:
        async with under_load(server.url, tmp_path) as troubled:
            for mode, seconds in (("immediate", AWAY_SECONDS), ("fast", SHORTLY)):
                codes = await troubled.codes()
                await asyncio.to_thread(server.stop, mode)
                stopped_at = perf_counter()
                await troubled.until_told()
                await troubled.type_in(codes)
                # Not a wait for something: this is how long it is away.
                await asyncio.sleep(stopped_at + seconds - perf_counter())
                away = [each for each in troubled.exchanges if each.sent_at > stopped_at]
                await asyncio.to_thread(server.start)
                await troubled.until_sending()

                assert {503} == {each.status for each in away}
                assert {200} == await troubled.type_in(codes)
    assert max(each.seconds for each in troubled.exchanges) < ANSWER_SECONDS + GRACE_SECONDS


@pytest.mark.parametrize("locked", FOREIGN_LOCKS)
async def test_a_lock_that_somebody_else_holds(
    postgres_url: str, tmp_path: Path, locked: str
) -> None:
    """For 20 s every write is 503, in time; then writes succeed."""
    lock, alive = FOREIGN_LOCKS[locked]
    async with under_load(postgres_url, tmp_path) as troubled:
        codes = await troubled.codes()
        with psycopg.connect(postgres_url) as foreign:
            await asyncio.to_thread(foreign.execute, lock)
            locked_at = perf_counter()
            await troubled.until_told()
            typed = await troubled.type_in(codes)
            while perf_counter() < locked_at + AWAY_SECONDS:
                await check_alive(troubled, alive)
            away = [each for each in troubled.exchanges if each.sent_at > locked_at]
        await troubled.until_sending()
        # An append whose caller gave up may have been written (D-31).
        typed_again = await troubled.type_in(codes)

    # Refusals without an event, such as of a guess at a blocked PIN, need no write.
    assert {503} <= {each.status for each in away} <= {503, 409, 410}
    assert {503} == typed
    assert typed_again <= {200, 409}
    assert max(each.seconds for each in troubled.exchanges) < ANSWER_SECONDS + GRACE_SECONDS


async def check_alive(troubled: Troubled, paths: list[str]) -> None:
    """Requests that need nothing locked are answered as usual."""
    async with asyncio.timeout(GRACE_SECONDS):
        for session in troubled.sessions:
            for path in paths:
                async with session.get(path, headers=ADMIN) as answer:
                    assert 200 == answer.status
    # Not a wait for something: it only leaves the machine to the load.
    await asyncio.sleep(0.1)
