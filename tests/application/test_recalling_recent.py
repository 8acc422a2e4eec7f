"""States that other nodes may change are read from the cache for a second (D-217)."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from tests.application.house import build_house
from tests.fakes.clocks import MachineSeconds
from tests.fakes.stores import TroubledStore
from watchword.adapters.event_store.log.recent_states import RecentStates
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application import journal as journals
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.application.paging import Paging
from watchword.application.ports.event_store import Loaded
from watchword.application.repository import Repository
from watchword.domain.accounts.channel_account import (
    ChannelAccountNotFoundError,
    channel_account_decider,
    disable,
)
from watchword.domain.decider import Decider

S = TypeVar("S")


class NodeStore(TroubledStore):
    """A store whose node remembers what it loads, as on PostgreSQL."""

    def __init__(self, inside: MemoryEventStore) -> None:
        super().__init__(inside)
        self.remembered = RecentStates()
        self.loads = 0

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Load, and remember."""
        self.loads += 1
        with self.remembered.loading(stream) as keep:
            loaded = await super().load(decider, stream)
            if loaded is not None:
                keep(loaded)
        return loaded

    def recall(self, stream: str) -> Loaded[Any] | None:
        """Return what was remembered."""
        return self.remembered.get(stream)


class Nodes:
    """A channel account, and a node that does not change it."""

    def __init__(self, inside: MemoryEventStore) -> None:
        self.store = NodeStore(inside)
        self.journal = Journal(self.store)
        self.ids: list[str] = []
        self.id = ""

    async def enabled(self) -> bool:
        """Return whether the node takes the account for enabled."""
        loaded = await self.journal.recall_recent(channel_account_decider, self.id)
        return loaded.state.enabled


async def disabled_meanwhile(monkeypatch: pytest.MonkeyPatch, seconds: float) -> Nodes:
    """Let a node know an account, which another node then disables; a cached state counts so long."""
    monkeypatch.setattr(journals, "RECENT_SECONDS", seconds)
    inside = MemoryEventStore(MachineSeconds())
    house = await build_house(inside=inside)
    nodes = Nodes(inside)
    listed = await house.service.channel_accounts.list(None, Paging())
    nodes.ids = [each.id for each in listed.data]
    nodes.id = nodes.ids[0]
    assert await nodes.enabled()
    repository = Repository(
        Journal(house.store), house.clock, channel_account_decider, ChannelAccountNotFoundError
    )
    await repository.decide(house.by, nodes.id, disable)
    return nodes


async def test_a_change_by_another_node_is_seen_within_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Within the time the cached state counts; after it, the state is loaded once for all."""
    during = await disabled_meanwhile(monkeypatch, 1_000.0)
    assert [True, True] == [await during.enabled(), await during.enabled()]
    assert 1 == during.store.loads
    after = await disabled_meanwhile(monkeypatch, 0.0)

    assert not await after.enabled()


async def test_an_unreachable_store_costs_no_send(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cached state is used on; a node without one has nothing to send with."""
    nodes = await disabled_meanwhile(monkeypatch, 0.0)
    nodes.store.reachable = False
    assert await nodes.enabled()
    nodes.store.remembered.clear()

    with pytest.raises(UnavailableError):
        await nodes.enabled()


async def test_the_streams_that_were_looked_at_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound, each of them is loaded again."""
    monkeypatch.setattr(journals, "MOST_LOOKED", 1)
    nodes = await disabled_meanwhile(monkeypatch, 1_000.0)
    first, second, _ = nodes.ids
    for nodes.id in (second, first, second):
        await nodes.enabled()

    assert 4 == nodes.store.loads
