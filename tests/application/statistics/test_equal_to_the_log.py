"""The figures equal a count over the exported log, to the unit, whatever happened (C-80, C-103)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.application.statistics.audited import audited
from tests.application.statistics.brute_force import figures
from tests.application.statistics.pin_histories import ACCOUNTS, NOON, PROVIDERS, Histories, Node
from tests.databases import Databases
from tests.fakes.nodes import TwoNodes
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.caller import THE_WORKER
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.application.log_follower import LEASE
from watchword.application.ports.event_store import EventStore
from watchword.application.statistics.asking import Question
from watchword.application.statistics.eras import RebuildingStatistics
from watchword.application.statistics.views import By, Group, StatisticsView
from watchword.entrypoints.wire.shown_events import shown_event

Opened = Callable[[], AbstractAsyncContextManager[EventStore]]

PIN_STEPS = ("create", "dispatch", "resend", "report", "verify", "block", "supersede", "erase")
OF_THE_NODES = ("follow", "follow", "fail", "restart", "rebuild")
HOUR = timedelta(hours=1)
WHOLE = "whole"
small = st.integers(0, 7)
histories = st.lists(
    st.tuples(
        st.sampled_from((*PIN_STEPS, "create", "dispatch", "verify", "wait", "refuse"))
        | st.sampled_from(OF_THE_NODES),
        small,
        small,
    ),
    min_size=15,
    max_size=60,
)


@settings(max_examples=2 * settings().max_examples)
@given(history=histories)
def test_the_figures_in_memory_equal_the_log(history: list[tuple[str, int, int]]) -> None:
    """Creates, resends, verdicts, expiries, receipts, erasures and crashes, in any order."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[EventStore]:
        yield MemoryEventStore(vault=new_vault())

    asyncio.run(compared(opened, history))


@settings(max_examples=max(12, settings().max_examples // 5))
@given(history=histories)
def test_the_figures_on_sqlite_equal_the_log(history: list[tuple[str, int, int]]) -> None:
    """The same on a file, which two followers share."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[EventStore]:
        with TemporaryDirectory() as folder:
            store = await SqliteEventStore.open(Path(folder) / "store.db", vault=new_vault())
            yield store
            await store.close()

    asyncio.run(compared(opened, history))


def test_the_figures_on_postgresql_equal_the_log(postgres_server: Databases) -> None:
    """The same on two nodes, which take turns with every call."""

    @settings(max_examples=max(8, settings().max_examples // 8))
    @given(history=histories)
    def on_two_nodes(history: list[tuple[str, int, int]]) -> None:
        @asynccontextmanager
        async def opened() -> AsyncIterator[EventStore]:
            with postgres_server.lent() as url:
                store: Any = await TwoNodes.open(url)
                yield store
                await store.close()

        asyncio.run(compared(opened, history))

    on_two_nodes()


async def compared(opened: Opened, history: list[tuple[str, int, int]]) -> None:
    """Let a history happen, with two nodes that count it; compare every answer with the log."""
    async with opened() as store:
        happening = Histories(store)
        await happening.begin()
        nodes = [Node(store, happening.clock), Node(store, happening.clock)]
        for name, one, other in history:
            node = nodes[one % 2]
            if name in ("follow", "fail"):
                node.store.fails = {"follow": "", "fail": ("before", "after")[other % 2]}[name]
                await followed(node, batches=1)
            elif name == "restart":
                nodes[one % 2] = Node(store, happening.clock)
            elif name == "rebuild":
                rebuilding = RebuildingStatistics(Journal(store), happening.clock)
                await rebuilding.rebuild(THE_WORKER)
            else:
                await happening.step(name, one, other)
                continue
            # In the middle, the figures are those of the log up to their position.
            await compare(store, happening, nodes[other % 2], Group.CHANNEL)
            assert [] == await audited(store, happening.clock)
        # Any lease of the other node ends.
        happening.clock.move(LEASE.total_seconds() + 1)
        await followed(nodes[0], batches=1_000)
        assert (await nodes[1].asking.ask(Question())).position == await store.newest()
        for group in (None, *Group):
            await compare(store, happening, nodes[1], group)
        assert [] == await audited(store, happening.clock)


async def followed(node: Node, batches: int) -> None:
    """Let a node count some batches of the log."""
    try:
        for _ in range(batches):
            if not await node.follower.run_due():
                break
    except UnavailableError:
        # The worker would say so, and go on later.
        pass
    node.store.fails = ""


async def compare(store: EventStore, happening: Histories, node: Node, group: Group | None) -> None:
    """Compare all answers for a group with the exported log up to their positions."""
    exported = [shown_event(each, mask=False) for each in await store.read_log(0, 10_000)]
    now = happening.clock.now()
    for account in (None, *ACCOUNTS):
        for by in (*By, WHOLE):
            question = Question(
                account_id=account, group=group, since=NOON - HOUR, until=now + HOUR
            )
            if by == WHOLE:
                answer = await node.asking.ask_whole(question)
            else:
                question = evolve(question, by=By(by))
                answer = await node.asking.ask(question)
                if group is None:
                    assert (answer, await node.asking.ask_whole(question)) == (
                        await node.asking.ask_over_time(question)
                    )
            log = [each for each in exported if each["position"] <= answer.position]
            assert figures(
                log,
                account=account,
                by=str(by),
                group=None if group is None else str(group),
                now=now,
                providers=PROVIDERS,
            ) == as_counted(answer, by)


def as_counted(answer: StatisticsView, by: str) -> dict[tuple[str, str | None], dict[str, Any]]:
    """Return an answer in the form of the plain count."""
    length = {By.HOUR: 13, By.DAY: 10, WHOLE: 0}[by]
    return {
        (each.at.isoformat()[:length], each.of): {
            "sent": each.sent,
            "accepted": each.accepted,
            "delivered": each.delivered,
            "verified": each.verified,
            "expired": each.expired,
            "blocked": each.blocked,
            "refused": each.refused,
            "test": each.test,
            "p50": each.seconds_to_verify.p50,
            "p95": each.seconds_to_verify.p95,
            "cost": sorted(
                (cost.currency, cost.estimated, Decimal(cost.amount).normalize())
                for cost in each.cost
            ),
        }
        for each in answer.data
    }
