"""Test destinations end with their person and after a restore, and hold on every node (C-74, D-404)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from tests.application.house import House, build_house, node_on
from tests.application.test_destinations.test_codes import issue, verify
from tests.application.test_destinations.test_managing import NUMBER, put
from tests.fakes.stores import TroubledStore
from tests.vaults import new_vault
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.restoring import Restoring
from watchword.domain.pin import PinExpiredError, PinIncorrectError


@pytest.fixture
async def nodes(postgres_url: str) -> AsyncIterator[tuple[House, House]]:
    """Yield two nodes, each with a connection and caches of its own."""
    stores = [await PostgresEventStore.open(postgres_url, vault=new_vault()) for _ in range(2)]
    one = await build_house(inside=stores[0])
    yield one, node_on(evolve(one, store=TroubledStore(stores[1])))
    for each in stores:
        await each.close()


async def test_an_erasure_ends_it(house: House) -> None:
    """The code goes, its PINs end, and whoever has the number next is an ordinary person."""
    view, _ = await put(house)
    sent = await issue(house)
    await house.service.erasing_people.erase(house.by, NUMBER)
    checked = await Checking(house.service.journal, AuditInputs(now=house.clock.now)).check()

    assert None is await house.store.seal_key(view.id)
    assert (0, ()) == (checked.total, checked.test_destinations)
    with pytest.raises(PinExpiredError):
        await verify(house, sent)
    again = await issue(house)
    assert 1 == len(house.provider.messages)
    with pytest.raises(PinIncorrectError):
        await verify(house, again)
    new, is_new = await put(house)
    assert (True, True) == (is_new, new.id != view.id)


async def test_a_restore_ends_all(house: House) -> None:
    """A removal since the backup may be lost, so somebody may know a code who must not (D-404)."""
    view, _ = await put(house)
    await put(house, "review@shop.example")
    gone, _ = await put(house, "gone@shop.example")
    await house.service.test_destinations.remove(house.by, gone.id)
    restoring = Restoring(house.service.journal, house.service.randomness, house.clock)
    done = await restoring.restored(end_runs=False)
    again = await restoring.restored(end_runs=False)

    assert (2, 0) == (done.test_destinations, again.test_destinations)
    assert None is await house.store.seal_key(view.id)
    assert 1 == len((await issue(house)).channels)
    assert 1 == len(house.provider.messages)


async def test_every_node_knows_what_another_one_sets(nodes: tuple[House, House]) -> None:
    """Also one that sent to the number before, and remembers that the account had none."""
    one, other = nodes
    await issue(other)
    await put(one)
    sent = await issue(other)

    assert 1 == len(one.provider.messages)
    await verify(other, sent)


async def test_every_node_knows_what_another_one_removes(nodes: tuple[House, House]) -> None:
    """Neither a create nor a guess on another node uses the code from then on."""
    one, other = nodes
    view, _ = await put(one)
    sent = await issue(other)
    await one.service.test_destinations.remove(one.by, view.id)

    with pytest.raises(PinIncorrectError):
        await verify(other, sent)
    await issue(other)
    assert 1 == len(one.provider.messages)


async def test_every_node_uses_the_newest_code(nodes: tuple[House, House]) -> None:
    """It was revised on another node, which this one was not told."""
    one, other = nodes
    await put(one)
    await issue(other)
    await put(one, code="0987654321")

    await verify(other, await issue(other), "0987654321")
