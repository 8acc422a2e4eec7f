"""The check of the log tells what retention took out from what is missing (C-75, evidence.md section 2)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.application.evidence.sealed_files import SIGNER, seal
from tests.application.house import House
from tests.application.retention.cellars import cellar
from tests.contracts.event_store.histories import NOON, step
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.evidence.leaves import blanked
from watchword.application.evidence.sealed_leaves import pruned_digest
from watchword.application.evidence.unexplained_positions import Positions
from watchword.application.evidence.verifying_log import Verified, VerifyingLog
from watchword.application.journal import Journal, beginning
from watchword.application.ports.event_store import EventStore
from watchword.application.retention.pruning_log import PruningLog
from watchword.domain.log_history import (
    EventsPruned,
    PrunedPart,
    PrunedRange,
    prune,
    pruning_decider,
)


async def verified(store: EventStore) -> Verified:
    """Verify a store."""
    return await VerifyingLog(Journal(store)).verify(SIGNER.verifiers)


async def days_go_by(house: House, days: int) -> None:
    """Let days go by, and prune what is over, with a head before each step."""
    house.clock.move(timedelta(days=days).total_seconds())
    await house.forget()
    work = PruningLog(house.service.journal, house.service.randomness, house.clock)
    await seal(house.store)
    while await work.run_due():
        await seal(house.store)


def kinds(result: Verified) -> list[tuple[int | None, str]]:
    """Return position and kind of each finding."""
    return [(each.position, each.kind) for each in result.findings]


async def test_what_retention_takes_is_no_finding(store: EventStore) -> None:
    """Neither blanked lines nor dropped streams are missing, and the answer counts the dropped events."""
    house = await cellar(store, pins="30d", messages="30d", events="90d")
    for _ in range(3):
        await house.issue()
    whole = await store.newest()
    await days_go_by(house, 31)
    assert ((), 0) == ((await verified(store)).findings, (await verified(store)).pruned)

    await days_go_by(house, 60)
    result = await verified(store)

    assert () == result.findings
    assert 0 < result.pruned < whole


@pytest.fixture
def memory() -> MemoryEventStore:
    """Return a store whose rows a test can edit."""
    return MemoryEventStore(vault=new_vault())


async def sealed_pin(memory: MemoryEventStore) -> int:
    """Seal a house's first PIN; return the position of `PinIssued`, which has a sealed line."""
    house = await cellar(memory)
    await house.issue()
    await seal(memory)
    return next(
        position
        for position, each in enumerate(memory._log, 1)
        if each.topic.startswith("PinIssued/")
    )


def blank(memory: MemoryEventStore, position: int) -> None:
    """Blank the sealed line of an event."""
    stored = memory._log[position - 1]
    opened, sealed, secret = stored.state.split(b"\n")
    assert sealed
    state = b"\n".join((opened, blanked(sealed), secret))
    memory._log[position - 1] = stored._replace(state=state)


async def say_pruned(
    memory: MemoryEventStore,
    ranges: tuple[PrunedRange, ...],
    digest: str,
    *,
    sealed: bool = True,
) -> None:
    """Append an `EventsPruned`, and seal it."""
    pruned = EventsPruned(
        at=NOON,
        account_id="demo",
        what=PrunedPart.SEALED,
        ranges=ranges,
        digest=digest,
        ended_before=NOON,
    )
    await memory.append(step(beginning(pruning_decider, "prn_1", prune(pruned))))
    if sealed:
        await seal(memory)


async def test_a_line_that_was_blanked_by_nobody_is_found(memory: MemoryEventStore) -> None:
    """Its leaf is still right, but what it said is gone."""
    position = await sealed_pin(memory)
    blank(memory, position)

    assert [(position, "blanked")] == kinds(await verified(memory))


async def test_a_pruning_of_other_events_is_found(memory: MemoryEventStore) -> None:
    """Its digest must be that of the events that it names; else it explains nothing."""
    position = await sealed_pin(memory)
    blank(memory, position)
    await say_pruned(memory, (PrunedRange(position, position),), "AAAA")

    said = len(memory._log)
    assert [(position, "blanked"), (said, "pruned")] == kinds(await verified(memory))


async def test_a_pruning_that_no_head_covers_is_counted(memory: MemoryEventStore) -> None:
    """Retention works between two heads, and so may somebody else who can write the store."""
    position = await sealed_pin(memory)
    ranges = (PrunedRange(position, position),)
    digest = await pruned_digest(memory.sealed_log, ranges)
    blank(memory, position)
    await say_pruned(memory, ranges, digest, sealed=False)
    before = await verified(memory)
    await seal(memory)
    after = await verified(memory)

    assert ((), ()) == (before.findings, after.findings)
    assert (1, 0) == (before.pruned_uncovered, after.pruned_uncovered)


@pytest.mark.parametrize(
    "ranges", [(PrunedRange(1, 10**15),), (PrunedRange(2, 2), PrunedRange(1, 1))]
)
async def test_an_impossible_pruning_is_found(
    memory: MemoryEventStore, ranges: tuple[PrunedRange, ...]
) -> None:
    """Positions of later events, or in no order, end the check no later and explain nothing."""
    await sealed_pin(memory)
    pruned = EventsPruned(
        at=NOON,
        account_id="demo",
        what=PrunedPart.STREAM,
        ranges=ranges,
        digest="AAAA",
        ended_before=NOON,
    )
    # The decision refuses such ranges; whoever writes the database does not ask it.
    change = beginning(
        pruning_decider,
        "prn_1",
        prune(
            EventsPruned(
                at=NOON,
                account_id="demo",
                what=PrunedPart.SEALED,
                ranges=(PrunedRange(1, 1),),
                digest="AAAA",
                ended_before=NOON,
            )
        ),
    )
    await memory.append(step(type(change)(change.stream, 0, (pruned,), change.state)))
    await seal(memory)

    assert [(len(memory._log), "pruned")] == kinds(await verified(memory))


def test_a_set_of_positions_takes_a_bit_each() -> None:
    """It iterates in order, and loses whole ranges."""
    positions = Positions()
    for each in (3, 70_000, 4, 3, 9):
        positions.add(each)

    assert [3, 4, 9, 70_000] == list(positions)
    assert 2 == positions.take(4, 9)
    assert 0 == positions.take(4, 9)
    assert 1 == positions.take(60_000, 10**12)
    assert ([3], 1) == (list(positions), positions.count)
