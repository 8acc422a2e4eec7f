"""Killed in the middle of erasures, beside 200 calls to the same number, no store is half erased (C-74)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.crash.checks import check_log, check_store
from tests.crash.erasure_checks import check_finished, check_live, check_whole, unfinished
from tests.crash.erasures import Race, all_finished, pass_time, until_finished
from tests.crash.load import SEED, Client, Templates, set_up
from tests.crash.nodes import SpreadClient, node
from tests.crash.notebook import Notebook
from tests.crash.record import Record
from tests.crash.sealed_texts import SealedTexts
from tests.crash.server import Server, connected, serving
from tests.erasure_rounds import ROUNDS
from watchword.application.data_requests.erasure_stages import LEFT_FOR

# Each chain of rounds has a store of its own, so that chains can run side by side.
IN_A_CHAIN = 5
CHAINS = range(0, ROUNDS, IN_A_CHAIN)


@pytest.mark.parametrize("first", CHAINS)
async def test_a_server_that_is_killed_among_erasures(tmp_path: Path, first: int) -> None:
    """On a file: after a restart each erasure is whole or absent, and the worker finishes it."""
    random, notebook = Random(SEED + first), Notebook()
    templates: Templates | None = None
    for _ in rounds_from(first):
        async with serving(tmp_path) as server, connected(server) as session:
            client = Client(session, notebook)
            templates = templates or await set_up(session)
            await kill_among_erasures(server, Race(client, templates, random))
            await server.ended(10)
        async with serving(tmp_path) as server, connected(server) as session:
            race = Race(Client(session, notebook), templates, random)
            await check_erasures(race, tmp_path / "watchword.db", tmp_path)


@pytest.mark.parametrize("first", CHAINS)
async def test_a_node_that_is_killed_among_erasures(
    postgres_url: str, tmp_path: Path, first: int
) -> None:
    """On PostgreSQL: the other node goes on, sees each erasure whole or not at all, and finishes it."""
    random, notebook = Random(SEED + first), Notebook()
    async with node(postgres_url, tmp_path) as living, connected(living) as session:
        client, templates = Client(session, notebook), await set_up(session)
        for _ in rounds_from(first):
            async with node(postgres_url, tmp_path) as victim, connected(victim) as other:
                both = SpreadClient(session, notebook, others=(other,))
                await kill_among_erasures(victim, Race(both, templates, random))
                await victim.ended(10)
            await check_erasures(Race(client, templates, random), postgres_url, tmp_path)


def rounds_from(first: int) -> range:
    """Return the rounds of a chain."""
    return range(first, min(first + IN_A_CHAIN, ROUNDS))


async def kill_among_erasures(server: Server, race: Race) -> None:
    """Kill a server while 200 calls to one number race with erasures of its person."""
    async with asyncio.TaskGroup() as group:
        group.create_task(race.run())
        await race.until_erasing()
        server.kill()


async def check_erasures(race: Race, database: Path | str, folder: Path) -> None:
    """Check everything as the kill left it, and again once the worker has done what was due."""
    client, notebook = race.client, race.client.notebook
    record = await Record.of(database)
    check_whole(notebook, record, SealedTexts.of(database))
    check_log(notebook, record)
    left, finished = unfinished(record), await all_finished(client)
    if left and finished:
        # The worker was faster than this question.
        left = unfinished(await Record.of(database))
    assert finished is not bool(left)
    await pass_time(client.session, int(LEFT_FOR.total_seconds()))
    await until_finished(client)
    newest = await race.create()
    record, texts = await Record.of(database), SealedTexts.of(database)
    check_whole(notebook, record, texts)
    check_finished(record, texts, folder / "erasures.jsonl")
    check_live(record, newest)
    check_store(record)
