"""A follower that is killed again and again has every event once, if it keeps its position with them."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

import watchword
from tests.crash.load import SEED
from tests.crash.read_model import CODE_KEY, follow
from tests.crash.waiting import until
from tests.entrypoints.cli.processes import environment

KILLS = 4
PATIENCE = 60
# Killed after so many PINs at most: some kills come while the follower is behind, others while it waits.
MOST_PINS = 25
_PROGRAM = str(Path(__file__).with_name("read_model.py"))


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a store that outlives its process."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    return str(request.getfixturevalue("postgres_url"))


async def told_until_killed(store: str, file: Path, run: int, pins: int) -> list[tuple[str, str]]:
    """Run the program until it told of so many PINs, and kill it; return all of which it told."""
    running = await asyncio.create_subprocess_exec(
        sys.executable,
        _PROGRAM,
        store,
        str(file),
        str(run),
        stdout=PIPE,
        stderr=DEVNULL,
        env=environment(),
    )
    assert running.stdout is not None
    lines: list[bytes] = []
    async with asyncio.timeout(PATIENCE):
        while len(lines) < pins:
            lines.append(await running.stdout.readline())
            assert lines[-1], "It ended by itself."
        running.kill()
        lines += (await running.communicate())[0].splitlines(keepends=True)
    # The last line may be cut off.
    pairs = (each.decode().split() for each in lines if each.endswith(b"\n"))
    return [(pin, destination) for pin, destination in pairs]


async def test_every_event_is_handled_once(store_url: str, tmp_path: Path) -> None:
    """After all kills the read model is what the log says: nothing is missing, twice, or out of order."""
    random, file = Random(SEED), tmp_path / "read-model.db"
    told: list[tuple[str, str]] = []
    for run in range(KILLS):
        told += await told_until_killed(store_url, file, run, random.randint(1, MOST_PINS))
    with closing(sqlite3.connect(file)) as kept:
        ((behind,),) = kept.execute("SELECT kept FROM position").fetchall()
        async with watchword.open(store_url, sandbox=True, code_key=CODE_KEY) as service:
            loop = asyncio.create_task(follow(service, kept))
            log = await whole_log(service)
            await until(lambda: position(kept) >= log[-1].position, PATIENCE)
        await loop
        rows = kept.execute("SELECT position, pin FROM issued ORDER BY rowid").fetchall()
        found = set(kept.execute("SELECT pin, destination FROM issued").fetchall())
    expected = [(each.position, each.stream) for each in log if each.type == "PinIssued"]

    assert 0 < behind <= log[-1].position
    assert len(told) >= KILLS
    assert expected == rows
    assert set(told) <= found


def position(kept: sqlite3.Connection) -> int:
    """Return the position that is kept."""
    ((found,),) = kept.execute("SELECT max(kept) FROM position").fetchall()
    return int(found)


async def whole_log(service: watchword.Service) -> list[watchword.Recorded]:
    """Return all events, page by page."""
    found: list[watchword.Recorded] = []
    while page := await service.events.list(found[-1].position if found else 0, 1000):
        found += page
    return found
