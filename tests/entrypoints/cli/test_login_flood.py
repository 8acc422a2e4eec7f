"""A flood of wrong logins, against a service that runs elsewhere (issue 8, D-98)."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

from aiohttp import ClientSession

from tests.entrypoints.cli.processes import Served

LOGINS, AT_ONCE = 1_000, 20
MOST_CPU_SECONDS = 15


def cpu_seconds(pid: int) -> float:
    """Give the processor time that a process has had, its ended children's left out."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def test_wrong_logins_hold_nobody_up(sandbox: Served) -> None:
    """1,000 for one e-mail cost five hashes, and the service answers others meanwhile, within 50 ms."""
    url, codes, waits = sandbox.url, set[int](), list[float]()
    gate = asyncio.Semaphore(AT_ONCE)

    async def log_in(session: ClientSession, number: int) -> None:
        body = {"email": "asha@tea.example", "password": f"guess {number}"}
        async with gate, session.post(f"{url}/account/enterprise/login", json=body) as answer:
            codes.add((await answer.json())["responseCode"])

    async def look(session: ClientSession) -> None:
        while True:
            began = time.perf_counter()
            async with session.get(f"{url}/health/live") as answer:
                await answer.read()
            waits.append(time.perf_counter() - began)
            await asyncio.sleep(0.01)

    before = cpu_seconds(sandbox.process.pid)
    async with ClientSession() as session, ClientSession() as other:
        looking = asyncio.create_task(look(other))
        await asyncio.gather(*(log_in(session, number) for number in range(LOGINS)))
        looking.cancel()

    assert codes <= {101, 105}
    assert cpu_seconds(sandbox.process.pid) - before < MOST_CPU_SECONDS
    # The machine that runs the tests is busy with others of them now and then.
    assert sorted(waits)[int(0.95 * len(waits))] < 0.05
