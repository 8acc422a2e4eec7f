"""One of two nodes on one PostgreSQL is killed again and again: the other misses nothing (R14, R16)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import perf_counter

import pytest
from aiohttp import ClientSession

from tests.crash.fallbacks import MISSING_SECONDS, check_fired, numbers, send
from tests.crash.load import SEED, Client, Templates, keep_silence, put_under_load, set_up
from tests.crash.nodes import SpreadClient, node
from tests.crash.notebook import Exchange, Notebook
from tests.crash.phone import phone, ring
from tests.crash.record import Record
from tests.crash.server import Server, connected
from tests.crash.service_checks import check_what_was_told
from tests.crash.waiting import until
from watchword.application.ports.event_store import LEASE_SECONDS
from watchword.domain.fallback_run import FallbackDispatched, FallbackFired

# Each chain of kills has a database of its own, so that chains can run side by side.
CHAINS, KILLS = 2, 10
DUE_AT_A_KILL = 40
WORKERS = 4
MANY = 1_000
# A machine with other work may be late by this.
GRACE_SECONDS = 3


async def test_a_thousand_that_are_due_at_once_all_fire(postgres_url: str, tmp_path: Path) -> None:
    """Both nodes do due work: a thousand references, none missing, none twice."""
    async with (
        phone() as listening,
        node(postgres_url, tmp_path) as one,
        node(postgres_url, tmp_path),
        connected(one) as session,
    ):
        await ring(session, listening)
        runs = await send(session, numbers(0, MANY), waits=3)
        await until(lambda: listening.received.total() >= MANY, MISSING_SECONDS)
        await check_fired(runs, listening, postgres_url)

    assert MANY == listening.received.total()


@pytest.mark.parametrize("chain", range(CHAINS))
async def test_a_node_that_is_killed_under_load(
    postgres_url: str, tmp_path: Path, chain: int
) -> None:
    """
    Every answer of both nodes holds, and the dead node's work is free within 30 s.

    Each run fires once within that time, and a repeated send has the same reference.
    """
    random, notebook = Random(SEED + chain), Notebook()
    runs: dict[str, str] = {}
    killed_at: dict[str, datetime] = {}
    async with (
        phone() as listening,
        node(postgres_url, tmp_path) as living,
        connected(living) as session,
    ):
        client, templates = Client(session, notebook), await set_up(session)
        await ring(session, listening)
        async with asyncio.TaskGroup() as retries:
            for kill in range(KILLS):
                began = perf_counter()
                async with node(postgres_url, tmp_path) as victim, connected(victim) as other:
                    due = numbers(kill * DUE_AT_A_KILL, DUE_AT_A_KILL)
                    sent = await send(other, due, waits=1)
                    await kill_under_load(client, victim, other, templates, random)
                killed_at |= dict.fromkeys(sent.values(), datetime.now(UTC))
                runs |= sent
                for exchange in notebook.keys_in_flight():
                    if exchange.sent_at > began:
                        retries.create_task(check_freed(client, exchange))
        record = await check_fired(runs, listening, postgres_url)
        check_in_time(record, killed_at)
        await check_same_references(session, record, runs)
        await check_what_was_told(client, templates, record, random)

    assert any(each.status == 409 for each in notebook.exchanges if each.key)


async def kill_under_load(
    client: Client, victim: Server, other: ClientSession, templates: Templates, random: Random
) -> None:
    """Spread a load over both, with one keyed request in flight on the victim, and kill that."""
    both = SpreadClient(client.session, client.notebook, others=(other,))
    load = asyncio.gather(
        put_under_load(both, templates, random, WORKERS),
        keep_silence(Client(other, client.notebook), templates),
    )
    # Not a wait for something: the kill comes before, amid or after the deadlines.
    await asyncio.sleep(random.uniform(0.7, 1.2))
    victim.kill()
    await load


async def check_freed(client: Client, exchange: Exchange) -> None:
    """The key of a killed node names its end within a lease, and is free then (C-10)."""
    killed = perf_counter()
    while True:
        again = await client.post("create", exchange.path, exchange.body, exchange.key)
        if again.status != 409:
            break
        assert "idempotency_in_progress" == again.content["error"]["code"]
        assert int(again.headers["Retry-After"]) <= LEASE_SECONDS
        await asyncio.sleep(int(again.headers["Retry-After"]))

    assert again.status in (201, 502)
    assert again.sent_at - killed < LEASE_SECONDS + GRACE_SECONDS


def check_in_time(record: Record, killed_at: dict[str, datetime]) -> None:
    """No run has waited for longer than 30 s after the kill of the node that had taken it in."""
    late = {
        each.stream: each.event.at - killed_at[each.stream]
        for each in record.log
        if isinstance(each.event, FallbackDispatched)
    }

    assert max(late.values()) < timedelta(seconds=MISSING_SECONDS + GRACE_SECONDS)


async def check_same_references(
    session: ClientSession, record: Record, runs: dict[str, str]
) -> None:
    """Messages on the phones of the living node have the decided references, sent again or not."""
    decided = {
        each.event.message_id for each in record.log if isinstance(each.event, FallbackFired)
    }
    known = {
        each.event.outcome.provider_message_id
        for each in record.log
        if isinstance(each.event, FallbackDispatched)
    }
    async with session.get("/sandbox/outbox") as answer:
        shown = [each for each in (await answer.json())["data"] if each["destination"] in runs]
    steps = [each for each in shown if each["messageId"] in decided]

    assert steps
    assert {each["providerMessageId"] for each in steps} <= known
