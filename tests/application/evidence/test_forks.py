"""Forks: a log that does not extend a head that was signed of it gets no signature."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import pytest
from attrs import evolve

from tests.application.evidence.sealed_house import NAME, NEW, OLD, SealedHouse, signers
from tests.fakes.stores import TroubledStore
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.evidence.heads_folder import HeadsFolder
from watchword.application.caller import THE_WORKER
from watchword.application.errors import UnavailableError
from watchword.application.evidence.errors import HeadsOutOfReachError, LogForkedError
from watchword.application.evidence.sealing_log import LogState
from watchword.application.journal import change
from watchword.application.ports.event_store import Loaded, StoreUnavailable
from watchword.application.ports.sealed_log import Head
from watchword.application.records.log_history import LOG_HISTORY_STREAM
from watchword.domain.decider import Decider
from watchword.domain.log_history import (
    StoreRestored,
    declare_restored,
    log_history_decider,
)

S = TypeVar("S")


def a_house(folder: Path) -> SealedHouse:
    """Return a new log in memory."""
    return SealedHouse(store=MemoryEventStore(vault=new_vault()), folder=folder)


class WithoutStates(TroubledStore):
    """A store that is lost in the midst of sealing, when the history of the log is loaded."""

    states = True

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Load while there are states."""
        if not self.states:
            raise StoreUnavailable("gone")
        return await super().load(decider, stream)


async def signed_heads(house: SealedHouse) -> list[Head]:
    """Return all heads in a store."""
    return list(await house.journal.sealed_log.heads(0, 100))


@pytest.mark.parametrize("events", [0, 9, 10, 50])
async def test_another_log_under_the_same_head_is_not_signed(tmp_path: Path, events: int) -> None:
    """A store that was put back, or begun anew, is shorter than its head or differs from it."""
    before = a_house(tmp_path)
    await before.grow(10)
    await before.node().look()
    after = a_house(tmp_path)
    await after.grow(events)
    node = after.node()
    for _ in range(3):
        await node.look()

    assert [] == await signed_heads(after)
    assert LogState.FORKED is node.sealing.state
    assert [(LogState.FORKED, "log_forked")] == node.told
    with pytest.raises(LogForkedError) as refusal:
        await node.sealing.seal()
    assert {"origin": f"{NAME}/1", "size": 11} == refusal.value.details


async def test_a_store_that_lost_its_heads_is_not_signed(tmp_path: Path) -> None:
    """A backup on a new machine knows its own heads alone, and later ones may have been shown."""
    house = a_house(tmp_path)
    await house.node(only=True).look()
    await house.grow(5)
    copied = house.node(only=True, folder="elsewhere")
    for _ in range(3):
        await copied.look()

    assert [1] == [each.size for each in await signed_heads(house)]
    assert [(LogState.UNSIGNED, "heads_out_of_reach")] == copied.told
    with pytest.raises(HeadsOutOfReachError, match="run watchword restored with --last-head"):
        await copied.sealing.seal()

    copy = HeadsFolder(tmp_path / "heads")
    assert 6 == (await house.node(only=True, folder="third", copies=[copy]).sealing.seal()).size


async def test_a_forked_node_lets_no_other_sign(tmp_path: Path) -> None:
    """The node that knows of the fork keeps the lease, and another one, which does not, signs nothing."""
    before = a_house(tmp_path)
    await before.node().look()
    after = a_house(tmp_path)
    knowing, unknowing = after.node(), after.node(folder="new machine")
    await knowing.look()
    await unknowing.look()

    assert [] == await signed_heads(after)
    assert LogState.FORKED is knowing.sealing.state


async def test_a_copy_elsewhere_finds_a_machine_that_was_put_back(tmp_path: Path) -> None:
    """Where store and data directory come from one backup, the head in another folder is newer."""
    copy = HeadsFolder(tmp_path / "elsewhere")
    before = a_house(tmp_path / "before")
    await before.node(copies=[copy]).look()
    after = a_house(tmp_path / "after")
    await after.grow(5)
    node = after.node(copies=[copy])
    await node.look()

    assert LogState.FORKED is node.sealing.state


async def test_a_head_in_the_store_counts_as_well(tmp_path: Path) -> None:
    """A new machine, without a folder of heads, compares with the newest head in the store."""
    house = a_house(tmp_path)
    head = await house.node().look()
    assert head is not None
    await house.grow(3)
    await house.journal.sealed_log.keep_head(evolve(head, size=2, root=b"x" * 32))
    node = house.node(folder="new machine")
    await node.look()

    assert LogState.FORKED is node.sealing.state


async def test_a_declared_restore_begins_the_next_origin(tmp_path: Path) -> None:
    """After `StoreRestored` the log is signed again, under an origin with the next number."""
    before = a_house(tmp_path)
    await before.grow(10)
    await before.node().look()
    after = a_house(tmp_path)
    node = after.node()
    await node.look()
    await declare(after)
    head = await node.look()

    assert head is not None
    assert f"{NAME}/2" == head.origin
    assert [True, False] == signers(head, OLD, NEW)
    assert [(LogState.FORKED, "log_forked"), (LogState.SEALED, None)] == node.told
    # A store from before the restore is forked again.
    again = a_house(tmp_path)
    forked = again.node()
    await forked.look()
    assert LogState.FORKED is forked.sealing.state


async def test_a_store_out_of_reach_hides_no_fork(tmp_path: Path) -> None:
    """While nothing can be read, the last known state holds."""
    await a_house(tmp_path).node().look()
    after = a_house(tmp_path)
    store = WithoutStates(after.store)
    node = evolve(after, store=store).node()
    await node.look()
    store.states = False
    with pytest.raises(UnavailableError):
        await node.look()

    assert LogState.FORKED is node.sealing.state


async def test_an_unreadable_folder_stops_the_signatures(tmp_path: Path) -> None:
    """Whoever damages the newest head outside the store does not get a fork signed."""
    house = a_house(tmp_path)
    node = house.node()
    await node.look()
    (tmp_path / "heads" / "latest").write_text("no head")
    await house.grow(1)
    house.clock.move_real(60)
    await node.look()

    assert LogState.UNSIGNED is node.sealing.state
    with pytest.raises(HeadsOutOfReachError):
        await node.sealing.seal()
    assert 1 == len(await signed_heads(house))


async def declare(house: SealedHouse) -> None:
    """Append that the store was restored."""
    journal = house.journal
    found = await journal.find(log_history_decider, LOG_HISTORY_STREAM)
    assert found is not None
    restored = StoreRestored(
        at=house.clock.now(),
        number=2,
        lost_origin=f"{NAME}/1",
        lost_size=11,
        lost_root="",
        kept_size=0,
        kept_root="",
    )
    decided = declare_restored(found.state, restored)
    done = change(log_history_decider, LOG_HISTORY_STREAM, found, decided)
    await journal.write(THE_WORKER, house.clock.now(), done)
