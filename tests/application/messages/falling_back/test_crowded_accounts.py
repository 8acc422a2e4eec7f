"""An account with as many steps under way as it may have waits, and holds up no other (D-49)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.application.house import House, build_house
from tests.application.post_office import WAIT, fallback, falls_back, send, work
from watchword.application.ports.event_store import Due, DueKind


async def due_run() -> tuple[House, str]:
    """Build a house with a run whose time has come, and return its id."""
    house = await build_house()
    await falls_back(house)
    (sent,) = await send(house, fallback=fallback())
    house.clock.move(WAIT)
    return house, str(sent.run_id)


def crowd(house: House, account_id: str) -> None:
    """Take all places that an account may have."""
    while house.service.provider_tasks.reserve(account_id):
        pass


async def test_a_crowded_accounts_run_is_looked_at_again_after_five_seconds() -> None:
    """Nothing of it is decided before, and it fires once there is a place."""
    house, run = await due_run()
    crowd(house, house.by.account_id)
    await work(house)
    house.clock.move(4.999)
    await work(house)
    assert ["FallbackArmed"] == await house.story(run)

    house.service.provider_tasks.release(house.by.account_id)
    house.clock.move(0.001)
    await work(house)

    assert 1 == (await house.story(run)).count("FallbackFired")
    assert house.service.provider_tasks.reserve(house.by.account_id)


async def test_a_crowded_account_holds_up_no_other() -> None:
    """Other accounts' runs go on, whatever its provider does."""
    house, run = await due_run()
    crowd(house, "acc_other")
    await work(house)

    assert "FallbackFired" in await house.story(run)


def crowd_but_for_one(house: House) -> None:
    """Leave the house's account one place."""
    crowd(house, house.by.account_id)
    house.service.provider_tasks.release(house.by.account_id)


async def test_a_crowded_account_puts_off_no_run_that_has_ended() -> None:
    """Another node fired the step between the two reads of this node, which leaves no due row behind."""
    house, _ = await due_run()
    journal, now = house.service.journal, house.clock.now()
    (due,) = await journal.due(DueKind.FALLBACK, now, 2)
    await work(house)
    crowd(house, house.by.account_id)
    await journal.write(house.by, now, due=(due,))
    await house.firing.run_due()

    assert () == tuple(await journal.due(DueKind.FALLBACK, now + timedelta(seconds=WAIT), 2))


async def test_a_run_whose_time_has_not_come_gives_its_place_back() -> None:
    """Otherwise an account would lose its places one by one."""
    house, run = await due_run()
    crowd_but_for_one(house)
    house.clock.move(-1)
    now = house.clock.now()
    await house.service.journal.write(house.by, now, due=(Due(DueKind.FALLBACK, run, 1, now),))
    await house.firing.run_due()

    assert ["FallbackArmed"] == await house.story(run)
    assert house.service.provider_tasks.reserve(house.by.account_id)


async def test_a_run_that_fails_gives_its_place_back() -> None:
    """It is tried again later, in any free place."""

    async def break_once() -> None:
        raise LookupError("a bug of ours")

    house, _ = await due_run()
    crowd_but_for_one(house)
    house.store.meanwhile = break_once
    with pytest.raises(LookupError):
        await house.firing.run_due()

    assert house.service.provider_tasks.reserve(house.by.account_id)
