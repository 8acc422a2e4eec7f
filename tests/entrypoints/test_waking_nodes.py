"""Nodes on one PostgreSQL: a worker is woken by another node (D-59), a clock follows another's (D-60)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import watchword
from tests.crash.waiting import until
from tests.databases import listeners
from tests.entrypoints.cli.processes import command, environment
from tests.entrypoints.messaging.sends import DEMO_RCS, FALLBACK, FALLBACK_SMS
from watchword.adapters.clock import MovableClock
from watchword.application.ports.event_store import LONGEST_SLEEP
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired

STORES = ("postgresql",)
HOUR = timedelta(hours=1)
CODE_KEY = "1:" + "a" * 44
WAIT = timedelta(seconds=1)
# Far from when it would have looked by itself, on a busy machine too.
IN_TIME = LONGEST_SLEEP / 4


@asynccontextmanager
async def working(store: str) -> AsyncIterator[None]:
    """Run `watchword worker` on a store, once it has looked, and listens."""
    worker = await asyncio.create_subprocess_exec(
        *command("worker", "--sandbox", "--store", store),
        env=environment(WATCHWORD_CODE_KEY=CODE_KEY),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert worker.stdout is not None
        assert b"Watchword works on" in await worker.stdout.readline()
        await until(lambda: bool(listeners(store)))
        yield
    finally:
        worker.terminate()
        await worker.communicate()


async def test_a_run_of_a_node_without_a_worker(postgres_url: str) -> None:
    """The worker in another process, which sleeps, fires it at its deadline."""
    async with (
        working(postgres_url),
        watchword.open(postgres_url, code_key=CODE_KEY, sandbox=True, run_worker=False) as service,
        asyncio.timeout(2 * LONGEST_SLEEP.total_seconds()),
    ):
        fallback = {**FALLBACK, "waittime": "1", "sms": FALLBACK_SMS}
        sent = await service.messages.send("demo", rcs=[DEMO_RCS], fallback=fallback)
        run = str(sent.messages[0].run_id)
        history = await service.events.get(run)
        while history[-1].type != "FallbackDispatched":
            history = await service.events.get(run)
    took = history[-1].event.at - history[0].event.at

    assert {"worker"} == {each.actor for each in history[1:]}
    assert WAIT <= took < IN_TIME


async def test_a_clock_follows_that_of_another_node(settings: Settings) -> None:
    """All nodes of a store follow one sandbox's moves; a second move is added to the first."""
    async with wired(settings) as one, wired(settings) as other:
        await moved(one)
        await until(lambda: ahead(other) == HOUR)
        await moved(other)
        await until(lambda: ahead(one) == 2 * HOUR)

    assert 2 * HOUR == ahead(other)


async def moved(service: Wired) -> None:
    """Move a sandbox's clock by an hour."""
    assert service.sandbox is not None
    await service.sandbox.advance(HOUR)


def ahead(service: Wired) -> timedelta:
    """Return how far a sandbox's clock is ahead of the machine's."""
    assert isinstance(service.clock, MovableClock)
    return service.clock.offset
