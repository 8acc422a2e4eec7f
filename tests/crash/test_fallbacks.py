"""Fallback runs by the hundred, through kills and long absences: every one fires, and once (C-20)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.crash.fallbacks import check_fired, numbers, send, until_dispatched
from tests.crash.load import SEED
from tests.crash.phone import phone, ring
from tests.crash.server import connected, serving
from tests.crash.waiting import until

CHAINS, KILLS = 4, 5
SENT_BEFORE_A_KILL = 60
MANY = 1_000
# A dispatch that a kill cut off is repeated after the provider time-out and five seconds more.
FLAGS = ("--provider-timeout", "1")


async def test_a_thousand_that_are_due_at_once_all_fire(tmp_path: Path) -> None:
    """A thousand references, none missing, none twice."""
    async with phone() as listening, serving(tmp_path) as server, connected(server) as session:
        await ring(session, listening)
        runs = await send(session, numbers(0, MANY), waits=3)
        await until(lambda: listening.received.total() >= MANY)
        await check_fired(runs, listening, tmp_path / "watchword.db")

    assert MANY == listening.received.total()


@pytest.mark.parametrize("chain", range(CHAINS))
async def test_a_kill_around_the_deadlines_loses_none(tmp_path: Path, chain: int) -> None:
    """After repeated kills each run fires once, and a repeated send has the same reference."""
    random = Random(SEED + chain)
    runs: dict[str, str] = {}
    async with phone() as listening:
        for kill in range(KILLS):
            async with serving(tmp_path, *FLAGS) as server, connected(server) as session:
                if not kill:
                    await ring(session, listening)
                first = kill * SENT_BEFORE_A_KILL
                runs |= await send(session, numbers(first, SENT_BEFORE_A_KILL), waits=1)
                # Not a wait for something: the kill comes before, amid or after the deadlines.
                await asyncio.sleep(random.uniform(0.8, 1.3))
                server.kill()
        async with serving(tmp_path, *FLAGS):
            await until_dispatched(set(runs.values()), tmp_path / "watchword.db")
        await check_fired(runs, listening, tmp_path / "watchword.db")


async def test_a_long_absence_loses_none(tmp_path: Path) -> None:
    """Down while five hundred deadlines pass: each fires once after the start."""
    async with phone() as listening:
        async with serving(tmp_path) as server, connected(server) as session:
            await ring(session, listening)
            runs = await send(session, numbers(0, 500), waits=2)
            server.kill()
        async with serving(tmp_path) as server, connected(server) as session:
            # The sandbox's clock stands for the ten minutes that the service was down.
            async with session.post("/sandbox/clock/advance", json={"seconds": 600}) as answer:
                assert 200 == answer.status
            await check_fired(runs, listening, tmp_path / "watchword.db")

    assert 500 == listening.received.total()
