"""Due work of every kind: a lost race is decided again, and a failing row is put off alone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from tests.application.house import House, build_house
from watchword.application.due_work import AFTER_A_FAILURE, handle_due, put_off
from watchword.application.ports.event_store import Due, DueKind, StreamConflict

KIND = DueKind.PARKED_RECEIPT


async def due(house: House, *streams: str) -> None:
    """Make something due on these streams now."""
    now = house.clock.now()
    rows = tuple(Due(KIND, stream, 1, now) for stream in streams)
    await house.service.journal.write(house.by, now, due=rows)


async def test_a_lost_race_is_decided_again_at_once() -> None:
    """The winner of the race changed the state; nothing failed, so nothing is put off."""
    house = await build_house()
    await due(house, "rcp_tea")
    looked: list[str] = []

    async def lose_the_first(each: Due) -> None:
        looked.append(each.stream)
        if len(looked) == 1:
            raise StreamConflict(each.stream)

    assert 1 == await handle_due(house.service.journal, house.clock, KIND, lose_the_first)
    assert ["rcp_tea"] * 2 == looked


async def test_what_fails_is_put_off_alone() -> None:
    """The failure is raised, the row comes again after a minute, and no other row waits."""
    house = await build_house()
    await due(house, "rcp_broken", "rcp_tea")
    handled: list[str] = []

    async def break_one(each: Due) -> None:
        if each.stream == "rcp_broken":
            raise LookupError("a bug of ours")
        handled.append(each.stream)
        await house.service.journal.write(house.by, house.clock.now(), done=(each,))

    with pytest.raises(LookupError):
        await handle_due(house.service.journal, house.clock, KIND, break_one)
    assert ["rcp_tea"] == handled
    assert 0 == await handle_due(house.service.journal, house.clock, KIND, break_one)

    house.clock.move(AFTER_A_FAILURE.total_seconds())
    with pytest.raises(LookupError):
        await handle_due(house.service.journal, house.clock, KIND, break_one)


@pytest.mark.parametrize("hours", [None, -1, 1])
async def test_what_moved_on_meanwhile_is_not_put_off(hours: int | None) -> None:
    """A row that another node ended, or put at its next time, stays so when the work on it fails."""
    house = await build_house()
    await due(house, "rcp_tea")
    journal, now = house.service.journal, house.clock.now()
    moved = [] if hours is None else [now + timedelta(hours=hours)]

    async def be_overtaken(each: Due) -> None:
        later = tuple(evolve(each, at=at) for at in moved)
        await journal.write(house.by, now, due=later, done=() if later else (each,))
        raise LookupError("a bug of ours")

    with pytest.raises(LookupError):
        await handle_due(journal, house.clock, KIND, be_overtaken)

    left = await house.store.due(KIND, now + timedelta(days=9), 9)
    assert moved == [each.at for each in left]


async def test_one_of_two_nodes_puts_a_row_off() -> None:
    """The other one, which read the row as it was before, changes nothing."""
    house = await build_house()
    await due(house, "rcp_tea")
    (read,) = await house.store.due(KIND, house.clock.now(), 9)
    for minutes in (1, 5):
        await put_off(house.service.journal, house.clock, read, timedelta(minutes=minutes))

    (left,) = await house.store.due(KIND, house.clock.now() + timedelta(days=9), 9)
    assert house.clock.now() + timedelta(minutes=1) == left.at
