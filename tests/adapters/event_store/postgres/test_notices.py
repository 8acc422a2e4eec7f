"""Nodes on one PostgreSQL wake each other for due rows that come soon, and do not rest on it (D-59)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from datetime import datetime
from functools import partial

import psycopg
import pytest
from attrs import frozen

from tests.contracts.event_store.histories import FERN, MOSS, NOON, ORCHID, grown, second, step
from tests.crash.waiting import until
from tests.databases import listeners
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.ports.event_store import LONGEST_SLEEP, Due, DueKind

SOON, SOONER = second(5), second(2)
LATER = NOON + LONGEST_SLEEP


def due(stream: str, at: datetime, kind: DueKind = DueKind.FALLBACK) -> Due:
    """Return a due row."""
    return Due(kind, stream, 1, at)


@frozen
class Nodes:
    """One node that writes, and the notices that another received."""

    writer: PostgresEventStore
    told: list[tuple[DueKind, datetime]]
    url: str

    async def heard(self, count: int) -> list[tuple[DueKind, datetime]]:
        """Return the notices, once there are so many."""
        await until(lambda: len(self.told) >= count)
        return self.told


def hear(told: list[tuple[DueKind, datetime]], kind: DueKind, at: datetime) -> None:
    """Record a notice."""
    told.append((kind, at))


@pytest.fixture
async def nodes(postgres_url: str) -> AsyncIterator[Nodes]:
    """Yield a node whose writes are watched at another one."""
    writer = await PostgresEventStore.open(postgres_url)
    other = await PostgresEventStore.open(postgres_url)
    told: list[tuple[DueKind, datetime]] = []
    with ExitStack() as watching:
        for kind in DueKind:
            watching.enter_context(other.watching_due(kind, partial(hear, told, kind)))
        await until(lambda: bool(listeners(postgres_url)))
        yield Nodes(writer, told, postgres_url)
    await other.close()
    await writer.close()


async def test_a_row_that_is_due_soon_is_heard_of(nodes: Nodes) -> None:
    """A notice has kind and time of the row; rows that others find in time cause none."""
    await nodes.writer.append(step(due=(due(ORCHID, LATER),)))
    await nodes.writer.append(step(due=(due(FERN, SOON),)))

    assert [(DueKind.FALLBACK, SOON)] == await nodes.heard(1)


async def test_only_what_is_sooner_is_told_after_that(nodes: Nodes) -> None:
    """At the announced time the other nodes look, and find the later rows too."""
    await nodes.writer.append(step(due=(due(FERN, SOON),)))
    await nodes.heard(1)
    await nodes.writer.append(step(due=(due(ORCHID, second(6)),)))
    await nodes.writer.append(step(due=(due(MOSS, SOONER),)))
    assert [SOON, SOONER] == [at for _, at in await nodes.heard(2)]
    await nodes.writer.append(step(due=(due(ORCHID, second(9)),), at=second(3)))

    assert [SOON, SOONER, second(9)] == [at for _, at in await nodes.heard(3)]


async def test_many_rows_are_told_at_once(nodes: Nodes) -> None:
    """After a thousand appends the other nodes get the earliest time, in a few notices."""
    await asyncio.gather(
        *(
            nodes.writer.append(step(due=(due(f"run-{each}", second(9 - each / 200)),)))
            for each in range(1000)
        )
    )
    await until(lambda: (DueKind.FALLBACK, second(9 - 999 / 200)) in nodes.told)

    assert 20 > len(nodes.told)


async def test_orphans_go_by_the_machines_clock(nodes: Nodes) -> None:
    """The due row of a dispatch wakes no node, however far a sandbox's clock was moved (D-11)."""
    await nodes.writer.append(step(due=(due(ORCHID, NOON, DueKind.ORPHANED_DISPATCH),)))
    await nodes.writer.append(step(due=(due(FERN, SOON),)))

    assert [(DueKind.FALLBACK, SOON)] == await nodes.heard(1)


async def test_a_lost_connection_is_made_again(nodes: Nodes) -> None:
    """After a lost connection all kinds are looked at, since notices may be missing."""
    ended = hang_up_listeners(nodes.url)
    await nodes.heard(len(DueKind))
    assert set(DueKind) == {kind for kind, at in nodes.told if at < NOON}
    nodes.told.clear()
    await nodes.writer.append(step(due=(due(FERN, SOON),)))

    assert [(DueKind.FALLBACK, SOON)] == await nodes.heard(1)
    assert 1 == len(listeners(nodes.url)) == len(ended)
    assert ended != listeners(nodes.url)


async def test_new_events_are_told(nodes: Nodes) -> None:
    """In at most ten notices a second, however many appends there are; the writer tells itself nothing."""
    reader = await PostgresEventStore.open(nodes.url)
    there: list[None] = []
    here: list[None] = []
    with (
        reader.watching_log(lambda: there.append(None)),
        nodes.writer.watching_log(lambda: here.append(None)),
    ):
        # Each looks once when it begins to listen, as notices may have been sent before.
        await until(lambda: bool(here and there))
        here.clear()
        there.clear()
        began = asyncio.get_running_loop().time()
        for each in range(100):
            await nodes.writer.append(step(grown(ORCHID, at=each)))
        await until(lambda: bool(there))
        took = asyncio.get_running_loop().time() - began
    await reader.close()

    assert 1 <= len(there) <= 2 + took / 0.1
    assert [] == here
    assert [] == nodes.told


async def test_due_rows_alone_are_no_events(nodes: Nodes) -> None:
    """They wake workers, and no reader of the log."""
    reader = await PostgresEventStore.open(nodes.url)
    heard: list[None] = []
    with reader.watching_log(lambda: heard.append(None)):
        await until(lambda: bool(heard))
        heard.clear()
        await nodes.writer.append(step(due=(due(FERN, SOON),)))
        await nodes.heard(1)
    await reader.close()

    assert [] == heard


async def test_a_reader_looks_after_a_lost_connection(nodes: Nodes) -> None:
    """What was told meanwhile is found by that look."""
    reader = await PostgresEventStore.open(nodes.url)
    heard: list[None] = []
    with reader.watching_log(lambda: heard.append(None)):
        await until(lambda: bool(heard))
        heard.clear()
        hang_up_listeners(nodes.url)
        await until(lambda: bool(heard))
    await reader.close()


async def test_what_nobody_understands_is_passed_over(nodes: Nodes) -> None:
    """Others may write to the channel."""
    with psycopg.connect(nodes.url, autocommit=True) as other:
        for words in (
            "",
            "tea",
            "a tea 2031-05-04",
            "a fallback tea",
            "a fallback 0001-01-01T00+23",
        ):
            other.execute(
                "SELECT pg_notify('watchword_due_' || to_hex(hashtext(current_schema())), %s)",
                (words,),
            )
    await nodes.writer.append(step(due=(due(FERN, SOON),)))

    assert [(DueKind.FALLBACK, SOON)] == await nodes.heard(1)


async def test_who_watches_nothing_does_not_listen(postgres_url: str) -> None:
    """A node without a worker has no connection for it."""
    store = await PostgresEventStore.open(postgres_url)
    await store.append(step(due=(due(FERN, SOON),)))
    heard = listeners(postgres_url)
    await store.close()

    assert [] == heard


def hang_up_listeners(url: str) -> list[int]:
    """End the listening connections and name their processes."""
    pids = listeners(url)
    with psycopg.connect(url, autocommit=True) as operator:
        for pid in pids:
            operator.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
    return pids
