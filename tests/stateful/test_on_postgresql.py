"""The machines that a store can take part in, on PostgreSQL: its two nodes take turns, call by call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, run_state_machine_as_test

from tests.application.house import House, build_house
from tests.contracts.event_store.histories import step
from tests.contracts.event_store.sample_people import person
from tests.databases import Databases
from tests.fakes.nodes import TwoNodes
from tests.stateful.test_event_store import StoreMachine
from tests.stateful.test_idempotency import KeyMachine
from tests.stateful.test_messages import MessageLife
from tests.stateful.test_pin_life import PERSON, TEMPLATE, PinLife
from watchword.application.ports.event_store import Change, EventStore, Loaded
from watchword.application.records import row_of
from watchword.domain.decider import Decision
from watchword.domain.pin import live_code, pin_decider

# Every step goes to a server and to its disk: a few lives, which take seconds.
FEW = settings(max_examples=max(8, settings().max_examples // 6), stateful_step_count=20)


class Lent:
    """A database for the life of a machine."""

    def __init__(self, server: Databases) -> None:
        super().__init__()
        self.lent = ExitStack()
        self.url = self.lent.enter_context(server.lent())

    def teardown(self) -> None:
        """Return the database to its pool."""
        with self.lent:
            super().teardown()  # type: ignore[misc]  # the machine beside it has one


class Stores(Lent, StoreMachine):
    """Appends of one batch go to one node."""

    async def opened(self) -> TwoNodes:
        """Open both nodes."""
        return await TwoNodes.open(self.url)

    def writer(self) -> EventStore:
        """Return the node whose turn it is."""
        writer: EventStore = self.store.turn()
        return writer


class Keys(Lent, KeyMachine):
    """A node that starts knows nothing of the requests of the other."""

    frees_at_start = False

    async def opened(self) -> TwoNodes:
        """Open both nodes."""
        return await TwoNodes.open(self.url, real_time=self.real)


class Messages(Lent, MessageLife):
    """Use cases whose every call goes to the other node."""

    async def built(self) -> House:
        """Build the use cases on both nodes."""
        self.both = await TwoNodes.open(self.url)
        return await build_house(self.provider, provider_timeout=30.0, inside=self.both)

    async def rest(self) -> None:
        """Run everything that can go on, including calls that wait for the database."""
        await super().rest()
        while self.both.under_way:
            await asyncio.sleep(0.001)
            await super().rest()

    async def closed(self) -> None:
        """Close both nodes."""
        if hasattr(self, "both"):
            await self.both.close()


class Pins(Lent, PinLife):
    """PINs that are written by one node, and looked at by the other."""

    def __init__(self, server: Databases) -> None:
        super().__init__(server)
        self.runner = asyncio.Runner()
        self.store: Any = self.runner.run(TwoNodes.open(self.url))
        self.runner.run(self.store.append(step(new_people=(person("guest"),))))

    def append(self, name: str, decision: Decision) -> None:
        """Do what the inner store does, on both."""
        version = len(self.streams[name])
        super().append(name, decision)
        state = self.live[name]
        written = step(
            Change(name, version, decision.events, state),
            at=self.at,
            conditions=decision.conditions,
            rows=(row_of(name, state),),
        )
        self.runner.run(self.store.append(written))

    @invariant()
    def nodes_know_what_is_live(self) -> None:
        """Each PIN follows from its events, and the same PINs compete for the live code."""
        for name, pin in self.live.items():
            expected = Loaded(pin, len(self.streams[name]))

            assert expected == self.runner.run(self.store.load(pin_decider, name))
        held = self.runner.run(self.store.holders(live_code(TEMPLATE, PERSON)))

        assert self.holders == held

    def teardown(self) -> None:
        """Close the nodes."""
        self.runner.run(self.store.close())
        self.runner.close()
        super().teardown()


@pytest.mark.parametrize("machine", [Stores, Keys, Messages, Pins])
def test_two_nodes(
    postgres_server: Databases, machine: Callable[[Databases], RuleBasedStateMachine]
) -> None:
    """Every node's answer is that of a single store."""
    run_state_machine_as_test(lambda: machine(postgres_server), settings=FEW)  # type: ignore[arg-type]  # what makes one will do
