"""The pass marks of the guard (guard rules, section 5), on every store, with two nodes where there can be."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from attrs import evolve, frozen

from tests.application.guard.guarded_house import (
    FREE,
    NUMBER,
    GuardedHouse,
    enforced,
    new_template,
    unverified,
)
from tests.application.house import build_house, node_on
from tests.fakes.stores import TroubledStore
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.event_store import EventStore
from watchword.domain.guard import Countries, Mode, Sends

# Calls at once: enough for batches of appends.
AT_ONCE = 50
VERDICTS = {"VerifyFailed", "PinBlocked", "PinVerified"}


@frozen
class Place:
    """
    A store, and how to open it for another node; SQLite and memory have one alone.

    `guesses` are as many as take seconds.
    """

    store: EventStore
    again: Callable[[], Awaitable[EventStore]]
    guesses: int


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    """Yield a store of each kind."""
    opened: list[PostgresEventStore | SqliteEventStore] = []

    async def again() -> EventStore:
        match request.param:
            case "memory":
                return memory
            case "sqlite" if opened:
                return opened[0]
            case "sqlite":
                opened.append(await SqliteEventStore.open(tmp_path / "s.db", vault=new_vault()))
            case _:
                url: str = request.getfixturevalue("postgres_url")
                opened.append(await PostgresEventStore.open(url, vault=new_vault()))
        return opened[-1]

    memory = MemoryEventStore(vault=new_vault())
    yield Place(await again(), again, 1_000 if request.param == "postgresql" else 10_000)
    for each in opened:
        await each.close()


async def two_nodes(place: Place) -> tuple[GuardedHouse, GuardedHouse]:
    """Return two nodes on the store, which share the clock and the providers."""
    first = await GuardedHouse.on(await build_house(inside=place.store))
    house = evolve(first.house, store=TroubledStore(await place.again()))
    return first, evolve(first, house=node_on(house))


async def in_batches(calls: Sequence[Callable[[], Awaitable[str]]]) -> Counter[str]:
    """Make calls, some at once, and count what was told; PINs read as `sent`."""
    told: Counter[str] = Counter()
    for first in range(0, len(calls), AT_ONCE):
        some = await asyncio.gather(*[call() for call in calls[first : first + AT_ONCE]])
        told.update("sent" if each.startswith("pin_") else each for each in some)
    return told


async def test_sends_into_one_prefix_are_refused_from_the_21st_on(
    place: Place,
) -> None:
    """1,000 sends on two nodes at once: exactly 20 go out, and other prefixes are untouched (1)."""
    nodes = await two_nodes(place)
    await nodes[0].put(unverified=unverified(prefix=enforced("20/1h")))
    flood = [partial(nodes[each % 2].create, f"+4477009{each:05}") for each in range(1_000)]

    assert Counter({"sent": 20, "unverified.prefix": 980}) == await in_batches(flood)
    elsewhere = [partial(nodes[each % 2].create, f"+447710{each:02}90001") for each in range(20)]
    assert Counter({"sent": 20}) == await in_batches(elsewhere)
    assert 40 == len(nodes[0].house.provider.messages)


async def test_a_day_of_guessing_tells_fifty_verdicts(place: Place) -> None:
    """Over 3 templates and all PINs that there can be, at once, on two nodes, and after a restart (2)."""
    first, second = await two_nodes(place)
    policy = evolve(FREE, pin_attempts=5)
    templates = [await new_template(first.house, policy) for _ in range(3)]
    await first.put(guesses=enforced("50/1d"))
    told: Counter[str] = Counter()
    pins: dict[str, str] = {}
    nodes = [first, second]
    while told.total() < place.guesses:
        for each in templates:
            made = await nodes[0].create(template_id=each)
            if made.startswith("pin_"):
                pins[each] = made
        told += await in_batches(
            [
                partial(nodes[number % 2].guess, pin)
                for number in range(AT_ONCE)
                for pin in pins.values()
            ]
        )
        if told.total() > place.guesses // 2 and nodes[0] is first:
            # A process that starts remembers nothing.
            nodes[0] = evolve(first, house=node_on(first.house))

    log = await first.house.store.read_log(0, 100_000)
    assert 50 == sum(each.type in VERDICTS for each in log)
    assert told["guesses"] > place.guesses // 10
    assert "guesses" == await first.create(template_id=templates[0])
    first.house.clock.move(86_400 + 1_440 + 1)
    assert "pin_incorrect" == await second.guess(await second.create(template_id=templates[0]))


async def test_a_verified_number_passes_and_a_policy_counts_from_its_commit_on(
    place: Place,
) -> None:
    """On the other node, too, which remembers neither the verification nor the policy (6)."""
    first, second = await two_nodes(place)
    await first.put(unverified=unverified(prefix=enforced("1/1h")))
    assert (await second.create("+447700900999")).startswith("pin_")
    assert "unverified.prefix" == await second.create()
    await first.put()
    assert "verified" == await first.verify(await first.create())

    await first.put(unverified=unverified(prefix=enforced("1/1h")))
    for node in (first, second):
        assert (await node.create()).startswith("pin_")
        assert "unverified.prefix" == await node.create("+447700900998")
    pin = await first.create()
    refuse = Countries(mode=Mode.ENFORCE, refuse=frozenset(("GB",)))
    await second.put(countries=refuse)
    assert "countries" == await first.resend(pin)
    assert ["countries", "countries"] == [await each.create(NUMBER) for each in (first, second)]
    await first.put()
    assert (await second.create("+447700900998")).startswith("pin_")


async def test_a_resend_and_a_guess_go_by_the_policy_of_another_node(place: Place) -> None:
    """The first of each under a policy that this node does not know yet is counted, too (6)."""
    first, second = await two_nodes(place)
    pin = await first.create()
    await second.put(sends=Sends(account=enforced("1/1h")))
    assert ["sent", "sends.account"] == [await first.resend(pin) for _ in range(2)]

    await second.put(guesses=enforced("1/1d"))
    assert ["pin_incorrect"] * 3 + ["pin_blocked"] == [await first.guess(pin) for _ in range(4)]
    assert "guesses" == await first.create()
