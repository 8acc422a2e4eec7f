"""10,000 requests that make no sense, to a running server (R25, R26)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.entrypoints.cli.processes import served
from tests.entrypoints.http.hostile.nonsense import nonsense
from tests.entrypoints.http.hostile.raw_client import wire
from watchword.entrypoints.http.statuses import STATUSES

SEED = 25
COUNT = 10_000
AT_ONCE = 16
MORE_MEMORY = 50 * 1024 * 1024


async def test_every_answer_is_documented_and_the_process_lives(tmp_path: Path) -> None:
    """No undocumented status, always a documented body with its id, and hardly more memory."""
    sent = nonsense(SEED, COUNT)
    # Some bodies reach a silent provider, which this test is not about.
    with served(tmp_path, "--sandbox", "--provider-timeout", "1") as running:
        port = int(running.url.rsplit(":", 1)[1])
        await answer_all(port, sent[: COUNT // 10])
        before = resident(running.process.pid)
        await answer_all(port, sent[COUNT // 10 :])

        assert MORE_MEMORY > resident(running.process.pid) - before
        assert running.process.poll() is None
        assert (200, {"status": "ready"}) == running.ask("GET", "/health/ready")


async def answer_all(port: int, sent: list[bytes]) -> None:
    """Send all, some at once, and look at every answer."""
    waiting = iter(sent)

    async def work() -> None:
        for each in waiting:
            await answer_one(port, each)

    async with asyncio.TaskGroup() as workers:
        for _ in range(AT_ONCE):
            workers.create_task(work())


async def answer_one(port: int, sent: bytes) -> None:
    """Send one request, and look at its answer."""
    async with wire(port) as line:
        await line.send(sent)
        answer = await line.answer(bodiless=sent.startswith(b"HEAD "))
        if answer.status == 100:
            answer = await line.answer()
        if answer.status in (200, 201):
            assert answer.headers["X-Request-Id"], sent
        else:
            status, code = answer.error

            assert STATUSES.get(code) == status < 500, (sent, answer)


def resident(process: int) -> int:
    """Return how many bytes a process holds in memory."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    pytest.fail("The system does not tell how much memory a process holds.")
