"""Several nodes prune one log: each step is recorded once, and no look costs more than it must (D-454)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from tests.application.house import House
from tests.application.post_office import message, send
from tests.application.retention.cellars import (
    cellar,
    differences,
    prune,
    pruning,
    seal,
    under_way,
)
from watchword.application.journal import Journal
from watchword.application.ports.event_store import Checkpoint, DueKind, EventStore
from watchword.application.records.pin import VerificationRow
from watchword.application.retention.due_numbers import SEALED
from watchword.application.retention.pruning_log import CHECKPOINT, PruningLog

Happening = Callable[[], Awaitable[object]]


class Looking(Journal):
    """Counts how often the number of recorded steps was read, and has something happen around that."""

    def __init__(self, store: EventStore) -> None:
        super().__init__(store)
        self.asked = 0
        self.before: Happening | None = None
        self.after: Happening | None = None

    async def position(self, name: str) -> int:
        """Read a number."""
        self.asked += 1
        before, self.before = self.before, None
        after, self.after = self.after, None
        if before is not None:
            await before()
        position = await super().position(name)
        if after is not None:
            await after()
        return position


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_node_never_records_what_another_has_just_recorded(
    store: EventStore, moment: str
) -> None:
    """Whether the other one was faster before or after the number of steps was read."""
    house = await cellar(store, pins="1d")
    pin = (await house.issue()).pin_id
    house.clock.move(9 * 86_400)
    await house.forget()
    await seal(house)
    journal = Looking(house.store)
    node, other = (
        PruningLog(each, house.service.randomness, house.clock)
        for each in (journal, house.service.journal)
    )
    setattr(journal, moment, other.run_due)

    await node.run_due()
    await prune(house)

    log = await house.store.read_log(0, 1000)
    assert 1 == len([each for each in log if each.type == "EventsPruned"])
    assert await house.store.row(VerificationRow, pin) is None
    assert () == await differences(house)


async def test_a_look_that_rests_reads_only_what_is_due(store: EventStore) -> None:
    """For a minute after a look that found nothing, nothing can be recorded but what is due."""
    house = await cellar(store, pins="1d")
    journal = Looking(house.store)
    node = PruningLog(journal, house.service.randomness, house.clock)
    for _ in range(3):
        assert 0 == await node.run_due()
    assert 1 == journal.asked
    house.clock.move(60)
    assert 0 == await node.run_due()
    assert 2 == journal.asked


async def content_due(store: EventStore) -> House:
    """Return a house with a message that is gone, and whose shared content is over."""
    house = await cellar(store, messages="2d")
    await send(house, message(), message())
    await prune(house, 3)
    house.clock.move(30 * 86_400)
    await seal(house)
    return house


async def test_a_content_that_another_node_took_is_not_put_off(store: EventStore) -> None:
    """Its due row stays gone, and one step is about it."""
    house = await content_due(store)
    node, other = (
        PruningLog(house.service.journal, house.service.randomness, house.clock) for _ in range(2)
    )
    house.store.meanwhile = other.run_due
    assert 0 == await node.run_due()
    (step,) = await house.store.due(DueKind.RETENTION, house.clock.now() + timedelta(days=9), 9)
    assert SEALED == step.number
    await prune(house, 2)

    steps = [each for each in await house.store.read_log(0, 1000) if each.type == "EventsPruned"]
    assert 2 == len(steps)
    assert () == await differences(house)


async def test_a_content_whose_step_was_refused_is_looked_at_again_at_once(
    store: EventStore,
) -> None:
    """Another node recorded a step about something else; the content waits for no day."""
    house = await content_due(store)
    node = pruning(house)

    async def record_another() -> None:
        at = await house.store.position(CHECKPOINT)
        moved = (Checkpoint(CHECKPOINT, at, at + 1),)
        await house.service.journal.write(house.by, house.clock.now(), checkpoints=moved)

    house.store.meanwhile = record_another
    assert 0 == await node.run_due()
    assert 0 == await under_way(house)
    assert 0 < await node.run_due()
    assert 1 == await under_way(house)
