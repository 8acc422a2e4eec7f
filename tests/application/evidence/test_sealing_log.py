"""Sealing: heads cover the log in time, extend each other, and are signed by the keys that live."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.application.evidence.sealed_house import NAME, NEW, OLD, SealedHouse, signers
from watchword.adapters.evidence.log_keys import LogKey
from watchword.adapters.randomness import SecretRandomness
from watchword.application.caller import THE_WORKER
from watchword.application.evidence.covering import BATCH
from watchword.application.evidence.errors import LogKeyMissingError
from watchword.application.evidence.keeping_keys import log_history
from watchword.application.evidence.sealing_log import LogState
from watchword.application.journal import beginning
from watchword.application.ports.event_store import EventStore
from watchword.domain.log_history import ReadModelsRepaired, repair, repair_decider


@pytest.fixture
def house(store: EventStore, tmp_path: Path) -> SealedHouse:
    """Return a log on a store of each kind."""
    return SealedHouse(store=store, folder=tmp_path)


async def test_the_first_head_covers_the_key_that_signs_it(house: SealedHouse) -> None:
    """The first look records the key in the log, and signs a head of all events at once."""
    await house.grow(3)
    node = house.node()
    head = await node.look()

    assert head is not None
    assert (f"{NAME}/1", 4) == (head.origin, head.size)
    assert [True, False] == signers(head, OLD, NEW)
    history = await log_history(house.journal)
    assert history is not None
    assert [OLD.verifier.vkey] == [each.log_key for each in history.keys]
    assert head.note == await node.heads.latest()
    assert (LogState.SEALED, 4, 0.0) == (node.sealing.state, node.sealing.size, node.sealing.lag)
    assert [] == node.told


async def test_new_events_are_covered_within_a_minute(house: SealedHouse) -> None:
    """A node looks every 10 s, and signs when the log grew and 20 s passed since the last head."""
    node = house.node()
    first = await node.look()
    await house.grow(300)
    heads = []
    for _ in range(3):
        house.clock.move_real(10)
        heads.append(await node.look())

    assert first is not None
    assert heads[0] == first
    newest = heads[-1]
    assert newest is not None
    assert 301 == newest.size
    assert newest.at - first.at <= timedelta(seconds=30)
    await house.check_extension(first, newest)


async def test_lag_grows_while_events_wait_for_their_head(house: SealedHouse) -> None:
    """The lag is counted from the last look at which a head covered everything."""
    node = house.node()
    await node.look()
    await house.grow(1)
    await node.look()
    assert 10.0 == node.sealing.lag

    house.clock.move_real(20)
    await node.look()
    assert 0.0 == node.sealing.lag


async def test_a_log_that_did_not_grow_gets_no_head(house: SealedHouse) -> None:
    """An idle service signs nothing, and neither does whoever asks again and again."""
    node = house.node()
    first = await node.look()
    house.clock.move_real(3600)

    assert first == await node.look()
    assert first == await node.sealing.seal()
    assert 1 == len(await house.journal.sealed_log.heads(0, 10))


async def test_whoever_asks_gets_a_head_at_once(house: SealedHouse) -> None:
    """A head that was asked for waits for nothing, and covers the log of then."""
    node = house.node()
    await node.look()
    await house.grow(2)

    assert 3 == (await node.sealing.seal()).size


async def test_work_that_is_due_more_often_is_not_sealed_each_time(house: SealedHouse) -> None:
    """A run of all due work within 9 s of the last look seals nothing, and counts nothing as done."""
    node = house.node()
    assert 0 == await node.sealing.run_due()
    assert None is await node.look(8)
    assert None is not await node.look(2)


async def test_a_clock_that_was_put_back_holds_up_no_head(house: SealedHouse) -> None:
    """A head from the future does not stop the next one."""
    node = house.node()
    await node.look()
    await house.grow(1)
    house.clock.move_real(-3600)
    head = await node.look()

    assert head is not None
    assert 2 == head.size


async def test_one_node_seals_and_the_other_sees_it(house: SealedHouse) -> None:
    """Two nodes with the same key make one line of heads, whoever comes first."""
    one, other = house.node(), house.node(folder="other")
    first = await one.look()
    assert first == await other.look()
    await house.grow(1)
    second = await other.sealing.seal()

    assert first is not None
    await house.check_extension(first, second)
    assert second == await one.sealing.seal()
    assert 2 == one.sealing.size


async def test_a_rotation_is_vouched_for_by_the_old_key(house: SealedHouse) -> None:
    """The new key is added under heads of both keys; without the old key it is retired."""
    await house.node(OLD).look()
    both = await house.node(NEW, OLD).look()
    new = await house.node(NEW).look()

    assert both is not None
    assert new is not None
    assert (2, 3) == (both.size, new.size)
    assert [True, True] == signers(both, NEW, OLD)
    assert [True, False] == signers(new, NEW, OLD)
    types = [each.type for each in await house.store.read_log(0, 10)]
    assert ["LogKeyAdded", "LogKeyAdded", "LogKeyRetired"] == types


async def test_a_node_with_the_old_key_alone_takes_nothing_back(house: SealedHouse) -> None:
    """During a rotation it signs with the old key; after it, it signs nothing, and says so once."""
    await house.node(OLD).look()
    await house.node(NEW, OLD).look()
    old = house.node(OLD)
    await house.grow(1)
    assert [False, True] == signers(await old.sealing.seal(), NEW, OLD)

    await house.node(NEW).look()
    await house.grow(1)
    for _ in range(2):
        with pytest.raises(LogKeyMissingError):
            await old.sealing.seal()
    assert [(LogState.UNSIGNED, "log_key_missing")] == old.told
    # The lease is free for those who have the key.
    assert 5 == (await house.node(NEW).sealing.seal()).size


async def test_keys_in_a_wrong_order_make_no_old_key_the_newest(house: SealedHouse) -> None:
    """`OLD,NEW` after a rotation began adds nothing and retires nothing."""
    await house.node(OLD).look()
    await house.node(NEW, OLD).look()
    await house.node(OLD, NEW).look()

    history = await log_history(house.journal)
    assert history is not None
    vkeys = [NEW.verifier.vkey, OLD.verifier.vkey]
    assert vkeys == [each.log_key for each in history.keys]


async def test_a_lost_key_is_replaced_in_the_open(house: SealedHouse) -> None:
    """A new key without the old one signs, and the log says that it took the other's place."""
    await house.node(OLD).look()
    lost, fresh = OLD, LogKey.new(NAME)
    head = await house.node(fresh).look()

    assert head is not None
    assert [True, False] == signers(head, fresh, lost)
    types = [each.type for each in await house.store.read_log(0, 10)]
    assert ["LogKeyAdded", "LogKeyAdded", "LogKeyRetired"] == types


async def test_a_long_log_is_covered_in_one_go(house: SealedHouse) -> None:
    """A log of more than one batch is covered batch by batch, before its head is signed."""
    # Many events of one append, else the test would take long.
    now, batches = house.clock.now(), range(3)
    for _ in batches:
        event = ReadModelsRepaired(at=now, position=1, replaced={"messages": 1}, removed={})
        changes = [
            beginning(repair_decider, SecretRandomness().new_id("rpr"), repair(event))
            for _ in range(BATCH - 100)
        ]
        await house.journal.write(THE_WORKER, now, *changes)
    head = await house.node().look()

    assert head is not None
    assert len(batches) * (BATCH - 100) + 1 == head.size
