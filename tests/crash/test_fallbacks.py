"""Fallback runs by the hundred, through kills and long absences: every one fires, and once (C-20)."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientSession

from tests.crash.checks import check_store
from tests.crash.load import SEED
from tests.crash.phone import SENDER, Phone, phone, ring
from tests.crash.record import Record
from tests.crash.server import connected, serving
from tests.crash.waiting import until
from watchword.domain.channel import OutcomeStatus
from watchword.domain.fallback_run import FallbackDispatched, FallbackFired
from watchword.entrypoints.sandbox import API_KEY

CHAINS, KILLS = 4, 5
SENT_BEFORE_A_KILL = 60
MANY = 1_000
# A dispatch that a kill cut off is repeated after the provider time-out and five seconds more.
FLAGS = ("--provider-timeout", "1")


async def send(session: ClientSession, numbers: list[str], waits: int) -> dict[str, str]:
    """Send to numbers that will say nothing, and give the run of each."""
    text = {"type": "SI", "messageBody": "Your tea is ready."}
    body = {
        "sms": [{**text, "sender": "Watchword", "recipient": each} for each in numbers],
        "fallback": {
            "fallback_id": "demo",
            "fallback": True,
            "waittime": str(waits),
            "sms": {**text, "sender": SENDER},
        },
    }
    async with session.post("/oapi/send_sms", json=body, headers={"apikey": API_KEY}) as answer:
        told: dict[str, Any] = await answer.json()
        assert 200 == answer.status
    return {each["recipient"]: each["fallbackRunId"] for each in told["data"]}


def numbers(first: int, count: int) -> list[str]:
    """Give numbers whose provider accepts and then says nothing."""
    return [f"+44770{each:06}9" for each in range(first, first + count)]


async def check_fired(runs: dict[str, str], heard: Phone, database: Path) -> Record:
    """Every run has fired once, its step was taken, and its number has heard of it."""
    await until(lambda: heard.heard.keys() >= runs.keys())
    record = await Record.of(database)
    fired = Counter(each.stream for each in record.log if isinstance(each.event, FallbackFired))
    taken = {
        each.stream
        for each in record.log
        if isinstance(each.event, FallbackDispatched)
        and each.event.outcome.status is OutcomeStatus.ACCEPTED
    }

    assert Counter(dict.fromkeys(runs.values(), 1)) == fired
    assert set(runs.values()) == taken
    assert heard.heard.keys() == runs.keys()
    check_store(record)
    return record


async def test_a_thousand_that_are_due_at_once_all_fire(tmp_path: Path) -> None:
    """A thousand references, none missing, none twice."""
    async with phone() as heard, serving(tmp_path) as server, connected(server) as session:
        await ring(session, heard)
        runs = await send(session, numbers(0, MANY), waits=3)
        await until(lambda: heard.heard.total() >= MANY)
        await check_fired(runs, heard, tmp_path / "watchword.db")

    assert MANY == heard.heard.total()


@pytest.mark.parametrize("chain", range(CHAINS))
async def test_a_kill_around_the_deadlines_loses_none(tmp_path: Path, chain: int) -> None:
    """Killed again and again: each run fires once, and what is sent again has the same reference."""
    random = Random(SEED + chain)
    runs: dict[str, str] = {}
    async with phone() as heard:
        for kill in range(KILLS):
            async with serving(tmp_path, *FLAGS) as server, connected(server) as session:
                if not kill:
                    await ring(session, heard)
                first = kill * SENT_BEFORE_A_KILL
                runs |= await send(session, numbers(first, SENT_BEFORE_A_KILL), waits=1)
                # Not a wait for something: the kill comes before, amid or after the deadlines.
                await asyncio.sleep(random.uniform(0.8, 1.3))
                server.kill()
        async with serving(tmp_path, *FLAGS):
            await until_dispatched(set(runs.values()), tmp_path / "watchword.db")
        await check_fired(runs, heard, tmp_path / "watchword.db")


async def test_a_long_absence_loses_none(tmp_path: Path) -> None:
    """Down while five hundred deadlines pass: each fires once after the start."""
    async with phone() as heard:
        async with serving(tmp_path) as server, connected(server) as session:
            await ring(session, heard)
            runs = await send(session, numbers(0, 500), waits=2)
            server.kill()
        async with serving(tmp_path) as server, connected(server) as session:
            # The sandbox's clock stands for the ten minutes that the service was down.
            async with session.post("/sandbox/clock/advance", json={"seconds": 600}) as answer:
                assert 200 == answer.status
            await check_fired(runs, heard, tmp_path / "watchword.db")

    assert 500 == heard.heard.total()


async def until_dispatched(runs: set[str], database: Path) -> None:
    """
    Wait until every run has fired, and the outcome of every send is recorded.

    It polls: the server is another process, whose file alone tells, and neither its answers nor
    the phone show when the outcome of a send that a kill cut off has been recorded.
    """
    async with asyncio.timeout(60):
        while True:
            record = await Record.of(database)
            fired = {each.stream for each in record.log if isinstance(each.event, FallbackFired)}
            if not record.undispatched and runs <= fired:
                return
            await asyncio.sleep(0.5)
