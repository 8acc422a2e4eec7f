"""A rebuild counts the log again, on any number of nodes, and goes on after a crash (D-407)."""

from __future__ import annotations

import asyncio

import pytest

from tests.application.statistics.pin_histories import Histories, Node
from watchword.application.caller import THE_WORKER
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.application.ports.event_store import EventStore
from watchword.application.statistics.asking import Question
from watchword.application.statistics.eras import FOLLOWER, RebuildingStatistics
from watchword.application.statistics.views import StatisticsView


async def seven_pins(store: EventStore) -> Histories:
    """Issue seven PINs."""
    happening = Histories(store)
    await happening.begin()
    for number in range(7):
        await happening.step("create", number % 4, 1)
        await happening.step("dispatch", 0, 0)
    return happening


async def counted(node: Node) -> StatisticsView:
    """Count to the end, and return the figures."""
    while await node.follower.run_due():
        pass
    return await node.asking.ask(Question())


def rebuilding(store: EventStore, happening: Histories) -> RebuildingStatistics:
    """Return the use case."""
    return RebuildingStatistics(Journal(store), happening.clock)


async def test_a_rebuild_comes_to_the_same_figures(store: EventStore) -> None:
    """It begins at position 0, and the rows of the time before count no more."""
    happening = await seven_pins(store)
    node = Node(store, happening.clock)
    before = await counted(node)
    await rebuilding(store, happening).rebuild(THE_WORKER)
    begun = await node.asking.ask(Question())
    await node.follower.run_due()
    part = await node.asking.ask(Question())

    assert (0, ()) == (begun.position, begun.data)
    assert 0 < part.position < before.position
    assert part.data[0].sent < before.data[0].sent
    assert before == await counted(node)


async def test_turns_of_one_follower_that_run_together_count_once(store: EventStore) -> None:
    """As when the sandbox's clock is moved while the worker counts."""
    happening = await seven_pins(store)
    node, alone = Node(store, happening.clock), Node(store, happening.clock)
    for _ in range(9):
        await asyncio.gather(*(node.follower.run_due() for _ in range(4)))

    figures = await node.asking.ask(Question())
    await rebuilding(store, happening).rebuild(THE_WORKER)

    assert figures == await counted(alone)


async def test_a_batch_of_an_older_era_is_not_written(store: EventStore) -> None:
    """A node that read it before the rebuild is refused, even where its position is right again."""
    happening = await seven_pins(store)
    slow, quick = Node(store, happening.clock), Node(store, happening.clock)
    batch = await slow.following.read(0, 5)
    old = await slow.following.react(batch)
    await rebuilding(store, happening).rebuild(THE_WORKER)
    (era,) = old.checkpoints
    figures = await counted(quick)

    assert era.to != await store.position(era.name)
    assert await store.newest() == figures.position
    assert 7 == figures.data[0].sent


async def test_a_rebuild_goes_on_after_a_crash(store: EventStore) -> None:
    """Another node drops what is left of the older rows, and counts on from the position."""
    happening = await seven_pins(store)
    first = Node(store, happening.clock)
    # What expires soon is expired before and after.
    happening.clock.move(10)
    before = await counted(first)
    await rebuilding(store, happening).rebuild(THE_WORKER)
    first.store.fails = "after"
    with pytest.raises(UnavailableError):
        await first.follower.run_due()
    second = Node(store, happening.clock)
    happening.clock.move(3)
    after = await counted(second)

    assert 0 < await store.position(FOLLOWER)
    assert before.data == after.data


async def test_two_rebuilds_at_once_are_two_eras(store: EventStore) -> None:
    """Even in the same millisecond, each begins anew."""
    happening = await seven_pins(store)
    node = Node(store, happening.clock)
    before = await counted(node)
    for _ in range(2):
        await rebuilding(store, happening).rebuild(THE_WORKER)
        await node.follower.run_due()

    assert before == await counted(node)


async def test_a_node_that_missed_a_rebuild_goes_on_in_the_new_era(store: EventStore) -> None:
    """Another node has dropped the rows that it still counts on; it begins anew, and loses nothing."""
    happening = Histories(store)
    await happening.begin()
    slow, quick = Node(store, happening.clock), Node(store, happening.clock)
    await happening.step("create", 0, 0)
    await counted(quick)
    await happening.step("dispatch", 0, 0)
    await counted(slow)
    await rebuilding(store, happening).rebuild(THE_WORKER)
    await counted(quick)
    await happening.step("erase", 0, 0)
    happening.clock.move(3_600)

    (row,) = (await counted(slow)).data
    assert (1, 1, 0) == (row.sent, row.accepted, row.expired)
