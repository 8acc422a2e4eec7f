"""A service is killed while it seals its log: no head is lost, and no size is signed twice differently."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientError, ClientSession

from tests.crash.load import SEED
from tests.crash.server import Server, connected, serving
from tests.log_keys import LOG_KEY, LOG_VKEY
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.vault import Vault
from watchword.application.evidence.forks import root_at
from watchword.application.ports.sealed_log import Head, SealedLog
from watchword.entrypoints.demo.seeding import API_KEY, TEMPLATE_ID
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN
from watchword.verify_evidence import Checkpoint, Verifier, open_checkpoint

KILLS = int(os.environ.get("WATCHWORD_SEALING_KILLS", "2"))
CALLERS = 8
_ADMIN = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
_CALLER = {"Authorization": f"Bearer {API_KEY}"}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_killed_service_forgets_no_head(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """
    Every head that anybody saw is of the log as it is in the end.

    A head is seen in an answer, in the folder at home, or in the folder elsewhere.
    """
    random, answered, kept = Random(SEED), [], []
    destinations = count(10**9)
    key = tmp_path / "log.txt"
    key.touch(mode=0o600)
    key.write_text(LOG_KEY)
    flags = ["--log-key-file", str(key), "--heads-dir", str(tmp_path / "elsewhere")]
    if kind == "postgresql":
        flags += ["--store", str(request.getfixturevalue("postgres_url"))]
    for _ in range(KILLS):
        async with serving(tmp_path, *flags) as server, connected(server) as session:
            # The lease of a node that died holds up the first head for up to 10 s on PostgreSQL.
            answered.append((await _sealed(session))["note"])
            await _kill_at_work(server, session, random, destinations, answered)
        kept += [(tmp_path / each / "latest").read_text() for each in ("heads", "elsewhere")]
    async with serving(tmp_path, *flags) as server, connected(server) as session:
        answered.append((await _sealed(session))["note"])
        async with session.get("/health/ready") as ready:
            assert {"status": "ready"} == await ready.json()
    on_file = kind == "sqlite"
    where = tmp_path / "watchword.db" if on_file else request.getfixturevalue("postgres_url")
    await _check([*map(_opened, answered)], [*map(_opened, kept)], where)


async def _kill_at_work(
    server: Server,
    session: ClientSession,
    random: Random,
    destinations: Iterator[int],
    seen: list[str],
) -> None:
    """Send codes and ask for heads at once, and end the service in the midst of it."""

    async def send() -> None:
        while True:
            body = {"destination": f"+91{next(destinations)}", "templateId": TEMPLATE_ID}
            async with session.post("/v1/pins", json=body, headers=_CALLER) as answer:
                await answer.read()

    async def seal() -> None:
        while True:
            seen.append((await _sealed(session))["note"])

    tasks = [asyncio.create_task(each()) for each in (*[send] * CALLERS, seal, seal)]
    try:
        await asyncio.wait(tasks, timeout=random.uniform(0.2, 1.0))
        server.kill()
        await server.ended(10)
    finally:
        for each in tasks:
            each.cancel()
        for each in tasks:
            with suppress(ClientError, OSError, asyncio.CancelledError):
                await each


async def _sealed(session: ClientSession) -> dict[str, Any]:
    async with session.post("/admin/v1/log/seal", headers=_ADMIN) as answer:
        head: dict[str, Any] = await answer.json()
        assert 200 == answer.status, head
        return head


def _opened(note: str) -> Checkpoint:
    return open_checkpoint(note, [Verifier.parse(LOG_VKEY)])


async def _check(answered: list[Checkpoint], kept: list[Checkpoint], where: Path | str) -> None:
    """Compare heads with the store, which has each of those that it answered."""
    store: SqliteEventStore | PostgresEventStore
    vault = Vault(None)
    if isinstance(where, Path):
        store = await SqliteEventStore.open(where, read_only=True, vault=vault)
    else:
        store = await PostgresEventStore.open(where, read_only=True, vault=vault)
    try:
        stored = await _stored(store.sealed_log)
        assert len({each.origin for each in (*answered, *kept)}) == 1
        assert len(stored) == len({each.size for each in stored})
        in_store = {Checkpoint(each.origin, each.size, each.root) for each in stored}
        assert set() == set(answered) - in_store
        for each in {*in_store, *kept}:
            assert each.root == await root_at(store.sealed_log, each.size), each
        assert KILLS < len(stored)
    finally:
        await store.close()


async def _stored(log: SealedLog) -> list[Head]:
    """Return all heads in a store."""
    found: list[Head] = []
    while some := await log.heads(found[-1].size if found else 0, 1_000):
        found += some
    return found
