"""Due work of every kind: a lost race is decided again, and a failing row is put off alone."""

from __future__ import annotations

import pytest

from tests.application.house import House, build_house
from watchword.application.due_work import AFTER_A_FAILURE, handle_due
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
