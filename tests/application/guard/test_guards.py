"""The guard of an account is found without a read, and never decided on when it is old (D-387)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.clocks import StillClock
from tests.vaults import new_vault
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.absent_streams import AbsentStreams
from watchword.application.caller import ADMIN, Caller
from watchword.application.guard.guards import Guards, unchanged
from watchword.application.guard.managing_guard import ManagingGuard
from watchword.application.journal import Journal
from watchword.application.ports.event_store import EventStore, Loaded, StreamConflict
from watchword.domain.errors import ValidationFailedError
from watchword.domain.guard import (
    DEFAULT_POLICY,
    Countries,
    Guard,
    GuardPolicy,
    Mode,
    Moded,
)

BY = Caller("acc_tea", ADMIN, "req_1")
STRICT = GuardPolicy(numbers=Moded(mode=Mode.ENFORCE))
LOOSE = GuardPolicy(numbers=Moded(mode=Mode.OFF))


class CountingStore:
    """Counts the loads of a store."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.loads = 0

    def __getattr__(self, name: str) -> Any:
        """Return a member of the store."""
        self.loads += name == "load"
        return getattr(self._store, name)


class Node:
    """A process on a store: its journal, and its use cases of the guard."""

    def __init__(self, store: EventStore) -> None:
        self.store = CountingStore(store)
        clock = StillClock()
        self.journal = Journal(self.store)
        self.guards = Guards(self.journal, clock)
        self.managing = ManagingGuard(self.guards)
        self.clock = clock

    async def append_on(self, guard: Loaded[Guard]) -> None:
        """Append nothing but the condition that the guard is unchanged."""
        await self.journal.write(BY, self.clock.now(), conditions=(unchanged(guard),))


@pytest.fixture
async def two_nodes(postgres_url: str, tmp_path: Path) -> AsyncIterator[tuple[Node, Node]]:
    """Yield two processes on one database."""
    stores = [await PostgresEventStore.open(postgres_url, vault=new_vault()) for _ in range(2)]
    yield Node(stores[0]), Node(stores[1])
    for each in stores:
        await each.close()


async def test_an_account_without_events_has_the_default_policy(store: EventStore) -> None:
    """To set the default policy on it records nothing, so it stays without a stream."""
    node = Node(store)
    await node.managing.put(BY, GuardPolicy())

    assert DEFAULT_POLICY == await node.managing.get("acc_tea")
    assert 0 == (await node.guards.load("acc_tea")).version
    assert 0 == await store.newest()


async def test_a_policy_is_replaced(store: EventStore) -> None:
    """What a put says holds at once; a second put of the same policy is no event."""
    node = Node(store)
    await node.guards.recall("acc_tea")
    assert STRICT == await node.managing.put(BY, STRICT)
    await node.managing.put(BY, STRICT)

    assert STRICT == (await node.guards.recall("acc_tea")).state.policy
    assert STRICT == await node.managing.get("acc_tea")
    assert DEFAULT_POLICY == await node.managing.get("acc_coffee")
    assert 1 == (await node.guards.load("acc_tea")).version


async def test_a_policy_that_cannot_hold_changes_nothing(store: EventStore) -> None:
    """The refusal names the path, and the policy before it stays."""
    node = Node(store)
    await node.managing.put(BY, STRICT)
    with pytest.raises(ValidationFailedError) as refusal:
        await node.managing.put(BY, GuardPolicy(countries=Countries(mode=Mode.ENFORCE)))

    assert ["countries"] == [each.path for each in refusal.value.problems]
    assert STRICT == await node.managing.get("acc_tea")


async def test_an_account_without_events_is_read_once(store: EventStore) -> None:
    """Later sends know it from memory, and their appends hold while nobody begins the stream."""
    node = Node(store)
    for _ in range(3):
        await node.append_on(await node.guards.recall("acc_tea"))

    assert 1 == node.store.loads


async def test_another_node_is_believed_after_a_conflict(two_nodes: tuple[Node, Node]) -> None:
    """A node that remembers an old policy, or none, is refused its append, and then reads the new one."""
    here, there = two_nodes
    for policy in (STRICT, LOOSE):
        remembered = await here.guards.recall("acc_tea")
        await there.managing.put(BY, policy)
        assert remembered is await here.guards.recall("acc_tea")
        with pytest.raises(StreamConflict):
            await here.append_on(remembered)
        fresh = await here.guards.recall("acc_tea")
        await here.append_on(fresh)

        assert policy == fresh.state.policy


def test_so_many_streams_are_remembered() -> None:
    """At the bound the others are forgotten, so accounts cannot fill the memory."""
    streams = AbsentStreams(most=2)
    nothing = Loaded(None, 0)
    for each in ("a", "b", "c"):
        streams.learn(each, nothing)

    assert [None, None, nothing] == [streams.get(each) for each in ("a", "b", "c")]
