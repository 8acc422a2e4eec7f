"""Whatever reads the log or the lists knows what was pruned from what is missing (C-75, C-101)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from tests.application.house import House, node_on
from tests.application.post_office import fallback, falls_back, message, send
from tests.application.retention.cellars import (
    DAY,
    cellar,
    differences,
    prune,
    pruning,
    seal,
    under_way,
)
from tests.contracts.event_store.histories import step
from tests.fakes.stores import TroubledStore
from tests.vaults import new_vault
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.audit.cut import Cut
from watchword.application.audit.differences import Kind
from watchword.application.audit.listing_as_of import ListingAsOf, Moment
from watchword.application.caller import THE_WORKER
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.pins.searching_verifications import VerificationSearch
from watchword.application.ports.event_store import EventStore
from watchword.application.records.fallback_run import FallbackRunRow
from watchword.application.records.pin import VerificationRow
from watchword.domain.event import ERASED
from watchword.domain.guard import Budgeted, GuardPolicy, Mode, Sends
from watchword.domain.rate_limit import Rate
from watchword.entrypoints.worker import run_due

NUMBER = "+919812345610"


async def kinds(house: House) -> set[Kind]:
    """Return the kinds of what an audit finds."""
    return {each.kind for each in await differences(house)}


async def test_what_vanishes_without_a_pruning_is_found(store: EventStore) -> None:
    """A blanked line that no event names, and a stream that no event lets go, are differences."""
    house = await cellar(store)
    one, two = [(await house.issue()).pin_id for _ in range(2)]
    await house.issue()
    assert set() == await kinds(house)
    await store.prunable_log.blank({one: 99})
    assert Kind.FORM in await kinds(house)
    await store.prunable_log.drop({two: 99})

    found = await differences(house)
    assert any(each.kind is Kind.ORDER and each.field == "position" for each in found)


async def test_nothing_pruned_comes_back_by_a_rebuild(store: EventStore) -> None:
    """A row that somebody put back is a stray: the audit names it, and a rebuild takes it out again."""
    house = await cellar(store, pins="1d")
    pin = (await house.issue()).pin_id
    row = await store.row(VerificationRow, pin)
    assert row is not None
    await prune(house, 3)
    clean = await house.service.rebuilding.rebuild(THE_WORKER)
    assert ({}, {}) == (clean.replaced, clean.removed)
    await store.append(step(rows=(row,)))
    assert {Kind.ROW} == await kinds(house)
    await house.service.rebuilding.rebuild(THE_WORKER)

    assert await store.row(VerificationRow, pin) is None
    assert set() == await kinds(house)


async def test_lists_as_they_were_have_what_was_pruned_since(store: EventStore) -> None:
    """Before its pruning a PIN was listed, and reads `(erased)` now; after it, the PIN is in no list."""
    house = await cellar(store, pins="1d", messages="1d", events="30d")
    pin = (await house.issue()).pin_id
    before = await store.newest()
    await prune(house, 3)
    service = house.service
    listing = ListingAsOf(service.journal, service.verifications, service.searching_messages)

    async def listed(position: int) -> list[str]:
        moment = Moment(cut=Cut(position=position), now=house.clock.now())
        search = VerificationSearch()
        async with listing.verifications(search, moment, lambda view: view.destination) as found:
            assert 0 == found.unreadable
            return list(found.rows)

    assert [ERASED] == await listed(before)
    assert [] == await listed(await store.newest())
    await prune(house, 60)
    assert [] == await house.story(pin)
    assert [] == await listed(before)


async def test_people_are_shown_and_erased_after_a_pruning(store: EventStore) -> None:
    """Nothing is left to show but the person, whom an erasure still takes; the audit has no complaint."""
    house = await cellar(store, pins="1d", messages="1d", events="30d")
    await house.issue()
    await send(house, message(recipient=NUMBER.removeprefix("+")))
    await prune(house, 3)
    person = await house.service.showing_people.show(house.by.account_id, NUMBER)
    assert [] == [each async for each in person.pins()]
    assert [] == [each async for each in person.messages()]
    assert [] == [each async for each in person.events()]
    await prune(house, 60)
    erased = await house.service.erasing_people.erase(house.by, NUMBER)

    assert erased.finished
    house.clock.move(60)
    for each in house.service.due_work:
        await each.run_due()
    assert () == await differences(house)


async def test_a_policy_is_replayed_over_what_is_left(store: EventStore) -> None:
    """Sends of pruned PINs count, also resends, without their prefixes; dropped ones are not there."""
    house = await cellar(store, pins="1d", messages="1d", events="90d")
    pin = (await house.issue()).pin_id
    await house.service.resending.resend(house.by, pin, ResendRequest())
    await prune(house, 3)
    now = house.clock.now()
    replay = house.service.replaying_policies.report
    blanked = await replay(house.by.account_id, GuardPolicy(), now - 10 * DAY, now)
    assert 2 == blanked.whole.sends
    await prune(house, 120)
    now = house.clock.now()
    dropped = await replay(house.by.account_id, GuardPolicy(), now - 200 * DAY, now)

    assert 0 == dropped.whole.sends


async def test_a_run_that_waits_keeps_its_messages(store: EventStore) -> None:
    """A message whose fallback still waits stays; once the run is over, both go together."""
    house = await cellar(store, messages="1d")
    await falls_back(house)
    (sent,) = await send(house, message(), fallback=fallback(waits=172_800))
    await prune(house, 1.9)
    assert [] != [each async for each in house.service.journal.every(FallbackRunRow)]
    assert () == await differences(house)
    house.clock.move(172_800)
    await run_due(house.service.due_work)
    await house.service.provider_tasks.finish()
    await prune(house, 3)

    assert [] == [each async for each in house.service.journal.every(FallbackRunRow)]
    assert all(
        b"\n~" in each.state
        for each in await store.sealed_log.raw_stream(sent.message_id)
        if each.state.split(b"\n")[1]
    )
    assert () == await differences(house)


@pytest.fixture
async def nodes(postgres_url: str) -> AsyncIterator[tuple[House, House]]:
    """Yield two nodes, each with connections and caches of its own."""
    stores = [await PostgresEventStore.open(postgres_url, vault=new_vault()) for _ in range(2)]
    one = await cellar(stores[0], pins="1d", messages="1d", events="30d")
    yield one, node_on(evolve(one, store=TroubledStore(stores[1])))
    for each in stores:
        await each.close()


async def test_of_two_nodes_each_may_finish_what_the_other_recorded(
    nodes: tuple[House, House],
) -> None:
    """A step is recorded once, and either node takes out what it names; states of both are forgotten."""
    one, two = nodes
    pin = (await one.issue()).pin_id
    assert await two.service.reading_log.stream(pin)
    one.clock.move(3 * 86_400)
    await one.forget()
    await seal(one)
    assert 2 == await pruning(one).run_due()
    assert 0 < await pruning(two).run_due()
    assert 0 == await under_way(one)
    again = [await pruning(each).run_due() for each in nodes]

    assert [0, 0] == again
    assert 1 == len(
        [each for each in await one.store.read_log(0, 99) if each.type == "EventsPruned"]
    )
    assert () == await differences(one)
    await prune(two, 40)
    assert [] == await one.story(pin)
    assert () == await differences(two)


async def test_a_crash_between_transactions_is_made_good(store: EventStore) -> None:
    """Of a recorded step, any part may be done: the next run does the rest, and audits see no difference."""
    house = await cellar(store, pins="1d", messages="1d", events="2d")
    pins = [(await house.issue()).pin_id for _ in range(3)]
    house.clock.move(9 * 86_400)
    await house.forget()
    await seal(house)
    assert 0 < await pruning(house).run_due()
    for part in (store.prunable_log.blank, store.prunable_log.drop):
        await part({pins[1]: 99})
        assert () == await differences(house)
        assert 1 == await under_way(house)
        if part == store.prunable_log.blank:
            await pruning(house).run_due()
            await seal(house)
            while not await under_way(house):
                assert 0 < await pruning(house).run_due()
    await prune(house)

    assert [[], [], []] == [await house.story(each) for each in pins]
    assert () == await differences(house)


async def test_a_longer_window_holds_what_a_shorter_retention_would_take(store: EventStore) -> None:
    """A rate that got a longer window since is counted whole: nothing within it goes."""
    house = await cellar(store, pins="1d")
    pin = (await house.issue()).pin_id
    month = Sends(account=Budgeted(mode=Mode.RECORD, limit=Rate("10/30d")))
    await house.service.managing_guard.put(house.by, GuardPolicy(sends=month))
    await prune(house, 20)
    assert await store.row(VerificationRow, pin) is not None
    await prune(house, 11)

    assert await store.row(VerificationRow, pin) is None
