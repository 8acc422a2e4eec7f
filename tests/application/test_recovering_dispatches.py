"""Dispatches whose process died, or that were slower than their recovery (C-15)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.application.house import House, build_house, code_in
from tests.fakes.providers import HesitantProvider
from watchword.application.errors import IdempotencyInProgressError
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.ports.channels import Accepted
from watchword.domain.channel import OutcomeStatus
from watchword.domain.pin import PinDispatched, PinStatus


@asynccontextmanager
async def dying(once: str | None = None) -> AsyncIterator[tuple[House, str]]:
    """Issue a PIN in a process that dies between PinIssued and the provider's answer."""
    provider = HesitantProvider()
    house = await build_house(provider)
    process = asyncio.create_task(house.issue(once))
    await provider.asked.wait()
    process.cancel()
    with pytest.raises(asyncio.CancelledError):
        await process
    provider.may_answer.set()
    (pin_id,) = await house.pins()
    yield house, pin_id


async def outcomes(house: House, pin_id: str) -> list[list[OutcomeStatus]]:
    """Return the outcomes of each dispatch of a PIN."""
    return [
        [outcome.status for outcome in each.event.outcomes]
        for each in await house.store.read_stream(pin_id)
        if isinstance(each.event, PinDispatched)
    ]


async def test_an_orphan_is_closed_as_unknown() -> None:
    """Every channel is unknown, the PIN stays PENDING, and nothing is sent again."""
    async with dying() as (house, pin_id):
        house.clock.move_real(30)

        assert 1 == await house.recovering.run_due()
        assert [[OutcomeStatus.UNKNOWN]] == await outcomes(house, pin_id)
        assert (
            PinStatus.PENDING
            == (await house.service.verifications.get(house.by.account_id, pin_id)).status
        )
        assert 1 == len(house.provider.messages)


async def test_an_orphan_is_closed_once() -> None:
    """The next round finds nothing to do."""
    async with dying() as (house, pin_id):
        house.clock.move_real(30)
        await house.recovering.run_due()

        assert 0 == await house.recovering.run_due()
        assert ["PinIssued", "PinDispatched"] == await house.story(pin_id)


async def test_recovery_goes_by_the_machines_time() -> None:
    """A moved clock of the service makes no orphans: the process may be alive (C-39)."""
    async with dying() as (house, pin_id):
        house.clock.move(3600)
        house.clock.move_real(29.9)

        assert 0 == await house.recovering.run_due()
        assert ["PinIssued"] == await house.story(pin_id)


async def test_the_worker_is_the_actor() -> None:
    """Events of a recovery have the worker as their actor (C-38)."""
    async with dying() as (house, pin_id):
        house.clock.move_real(30)
        await house.recovering.run_due()

        assert ["key_web", "worker"] == [
            each.actor for each in await house.store.read_stream(pin_id)
        ]


async def test_an_orphans_code_still_verifies() -> None:
    """The message may have arrived, and its recipient may enter the code."""
    async with dying() as (house, pin_id):
        house.clock.move_real(30)
        await house.recovering.run_due()
        code = code_in(house.provider.messages[0].text)

        assert (
            PinStatus.VERIFIED
            == (await house.service.verifying.verify(house.by, pin_id, code)).status
        )


async def test_a_dispatch_in_time_leaves_nothing_due() -> None:
    """A recorded outcome takes its due row along."""
    house = await build_house()
    await house.issue()
    house.clock.move_real(3600)

    assert 0 == await house.recovering.run_due()


async def test_an_orphaned_resend_is_closed_too() -> None:
    """Each issue has its own due row."""
    provider = HesitantProvider()
    house = await build_house(provider)
    provider.may_answer.set()
    pin_id = (await house.issue()).pin_id
    provider.may_answer.clear()
    provider.asked.clear()
    process = asyncio.create_task(house.service.resending.resend(house.by, pin_id, ResendRequest()))
    await provider.asked.wait()
    process.cancel()
    with pytest.raises(asyncio.CancelledError):
        await process
    house.clock.move_real(31)

    assert 1 == await house.recovering.run_due()
    assert [[OutcomeStatus.ACCEPTED], [OutcomeStatus.UNKNOWN]] == await outcomes(house, pin_id)


async def test_an_outcome_that_comes_after_recovery_is_recorded() -> None:
    """The process was only slow: its outcome follows the unknown one, and the caller gets it."""
    provider = HesitantProvider()
    house = await build_house(provider)
    process = asyncio.create_task(house.issue())
    await provider.asked.wait()
    house.clock.move_real(31)
    await house.recovering.run_due()
    provider.may_answer.set()
    sent = await process

    assert PinStatus.PENDING == sent.status
    assert [[OutcomeStatus.UNKNOWN], [OutcomeStatus.ACCEPTED]] == (
        await outcomes(house, sent.pin_id)
    )
    assert (
        PinStatus.VERIFIED
        == (await house.service.verifying.verify(house.by, sent.pin_id, house.code())).status
    )


async def test_a_dead_processs_key_is_free_after_its_lease() -> None:
    """Until then it is in progress; then a retry issues a new code (C-10, C-15)."""
    async with dying(once="tea") as (house, pin_id):
        house.machine_seconds.forward(29.5)
        with pytest.raises(IdempotencyInProgressError) as refusal:
            await house.issue("tea", owner="retry")
        house.machine_seconds.forward(0.5)
        retried = await house.issue("tea", owner="retry")

        assert 1 == refusal.value.retry_after_seconds
        assert pin_id != retried.pin_id
        assert 2 == len(house.provider.messages)
        assert Accepted("at last").provider_message_id == retried.channels[0].provider_message_id
