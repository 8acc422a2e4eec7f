"""A rotation of the code key wraps every key anew, a batch at a time (C-3, D-313)."""

from __future__ import annotations

import asyncio

import pytest
from attrs import evolve

from tests.application.rotations import BOTH, NEWEST, rotate
from tests.contracts.event_store.histories import step
from tests.fakes.stores import TroubledStore
from tests.vaults import KEYRING, new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.sealing import AesGcmSealer
from watchword.adapters.vault import INDEX, KeyWrapping
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.application.ports.event_store import PersonRecord
from watchword.application.rewrapping_keys import AT_ONCE, RewrappingKeys

OTHERS = ("acc_tea", "cbe_tea", "cha_tea", INDEX, "rcp_tea", "run_tea")
PEOPLE = 2 * AT_ONCE + 1


async def filled(people: int = PEOPLE) -> tuple[MemoryEventStore, list[PersonRecord]]:
    """Fill a store with people, and with one key of every other kind."""
    store, vault = MemoryEventStore(), new_vault()
    met = [vault.new_person("acc_tea", str(number)) for number in range(people)]
    keys = tuple(KeyWrapping(KEYRING).wrap(name, name.encode()) for name in OTHERS)
    await store.append(step(new_people=tuple(met), keeping=keys))
    return store, met


async def test_every_key_moves_and_keeps_its_secret() -> None:
    """Those of people, accounts, the store, the index, callbacks, channel accounts and runs."""
    store, met = await filled()
    told = await rotate(store)
    newest = KeyWrapping(NEWEST)
    moved = {each: await store.seal_key(each) for each in OTHERS}
    people = await store.people_named([each.person_id for each in met])

    assert [(PEOPLE + len(OTHERS), False)] == told
    assert {each: each.encode() for each in OTHERS} == {
        each: newest.unwrap(key) for each, key in moved.items() if key is not None
    }
    assert [KeyWrapping(KEYRING).unwrap(each.key) for each in met] == [
        newest.unwrap(people[each.person_id].key) for each in met
    ]
    assert [False, True] == [await store.seals_under(each) for each in (1, 2)]


async def test_a_second_pass_finds_nothing() -> None:
    """And says nothing."""
    store, _ = await filled(1)
    await rotate(store)

    assert [] == await rotate(store)


async def test_two_nodes_share_the_work() -> None:
    """A key that the other one replaced is left; nothing is wrapped twice."""
    store, met = await filled()
    told = await asyncio.gather(rotate(store), rotate(store))

    assert PEOPLE + len(OTHERS) == sum(keys for each in told for keys, _ in each)
    assert not await store.seals_under(1)
    assert len(met) + len(OTHERS) == len(await store.keys_under(2, 10_000))


async def test_what_another_process_left_is_taken_up() -> None:
    """A process that ended in the middle of a pass loses nothing."""
    store, _ = await filled()
    ended = RewrappingKeys(Journal(store), AesGcmSealer(BOTH), 1, lambda *_: None)
    assert AT_ONCE == await ended.run_due()
    told = await rotate(store)

    assert [(PEOPLE + len(OTHERS) - AT_ONCE, False)] == told


async def test_a_key_that_a_late_node_wraps_is_moved_by_the_next_pass() -> None:
    """Nodes are restarted one after the other; the last one still wraps with the older version."""
    store, _ = await filled(1)
    rewrapping = RewrappingKeys(Journal(store), AesGcmSealer(BOTH), 1, lambda *_: None)
    while await rewrapping.run_due():
        pass
    await store.append(step(new_people=(new_vault().new_person("acc_tea", "late"),)))

    assert [1, 0] == [await rewrapping.run_due() for _ in range(2)]
    assert not await store.seals_under(1)


async def test_an_erased_person_does_not_come_back() -> None:
    """A key that was read before the erasure is not written behind it."""
    store, (person,) = await filled(1)
    wrapping = KeyWrapping(BOTH)
    read = await store.keys_under(1, 10)
    await store.append(step(erasing=(person.person_id,)))
    replaced = await store.rewrap([(key, wrapping.rewrapped(key)) for key in read])

    assert len(OTHERS) == replaced
    assert {} == await store.people_named([person.person_id])


async def test_a_key_that_does_not_open_holds_up_no_other() -> None:
    """It stays as it is, and the operator is told that some are left."""
    store, _ = await filled()
    key = await store.seal_key("acc_tea")
    assert key is not None
    await store.append(step(keeping=(evolve(key, wrapped=b"broken"),)))

    assert [(PEOPLE + len(OTHERS) - 1, True)] == await rotate(store)
    assert ["acc_tea"] == [each.name for each in await store.keys_under(1, 10)]


async def test_a_store_out_of_reach_ends_the_work_for_now() -> None:
    """The worker tries again."""
    store, _ = await filled(1)
    troubled = TroubledStore(store)
    troubled.reachable = False
    with pytest.raises(UnavailableError):
        await rotate(troubled)
