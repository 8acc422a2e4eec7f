"""Messages whose process died before their outcome was recorded (C-15, C-20)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.application.house import House, build_house
from tests.application.post_office import (
    CODE,
    WAIT,
    fallback,
    falls_back,
    message,
    send,
    step,
    work,
)
from tests.fakes.providers import HesitantProvider
from watchword.application.channel_accounts.patch import ChannelAccountPatch
from watchword.application.messages.planning.send_requests import StepRequest
from watchword.application.ports.event_store import Due, DueKind
from watchword.domain.channel import Channel, OutcomeStatus
from watchword.domain.fallback_run import fallback_run_decider
from watchword.domain.message import message_decider


async def outcome_of(house: House, message_id: str) -> OutcomeStatus | None:
    """Return how a dispatch went."""
    outcome = (await house.service.journal.load(message_decider, message_id)).state.outcome
    return outcome.status if outcome else None


@asynccontextmanager
async def dying_at_a_step(
    *steps: StepRequest, deduplicates: bool
) -> AsyncIterator[tuple[House, HesitantProvider, str]]:
    """Fire the first step in a process that dies before its provider has answered."""
    provider = HesitantProvider(asked_by=2)
    house = await build_house(provider)
    await falls_back(house, *(each.channel for each in steps))
    provider.may_answer.set()
    (sent,) = await send(house, fallback=fallback(*steps))
    provider.may_answer.clear()
    house.clock.move(WAIT)
    worker = asyncio.create_task(work(house))
    await provider.asked.wait()
    worker.cancel()
    house.service.provider_tasks.abandon()
    provider.deduplicates = deduplicates
    provider.may_answer.set()
    yield house, provider, str(sent.run_id)


async def test_a_send_of_a_caller_is_not_repeated() -> None:
    """Its outcome reads unknown, and it goes on reading accepted (D-35)."""
    provider = HesitantProvider()
    provider.deduplicates = True
    house = await build_house(provider)
    process = asyncio.create_task(send(house, message(CODE)))
    await provider.asked.wait()
    process.cancel()
    with pytest.raises(asyncio.CancelledError):
        await process
    provider.may_answer.set()
    house.clock.move_real(45)
    await house.recovering.run_due()

    (reference,) = [each.reference for each in provider.messages]
    assert OutcomeStatus.UNKNOWN is await outcome_of(house, reference)
    assert 0 == await house.recovering.run_due()


@pytest.mark.parametrize("what", [step(), step(CODE)])
async def test_a_step_is_repeated_where_references_are_taken_once(what: StepRequest) -> None:
    """Under the same reference, so that it arrives once; a sealed one can still be opened (C-20)."""
    async with dying_at_a_step(what, deduplicates=True) as (house, provider, run):
        reference = provider.messages[1].reference
        house.clock.move_real(5 + 5)
        await house.recovering.run_due()
        await house.service.provider_tasks.finish()

        assert [reference] * 2 == [each.reference for each in house.provider.messages[1:]]
        assert [what.content] * 2 == [each.content for each in house.provider.messages[1:]]
        assert OutcomeStatus.ACCEPTED is await outcome_of(house, reference)
        assert "FallbackDispatched" in await house.story(run)
        assert await house.store.seal_key(run) is None


@pytest.mark.parametrize(
    ("steps", "ttl"), [((step(),), None), ((step(), step(channel=Channel.RCS)), WAIT)]
)
async def test_a_repeated_step_lives_as_long_as_its_first_try(
    steps: tuple[StepRequest, ...], ttl: int | None
) -> None:
    """It is over when the next one fires, and the last one has no end (C-20, C-50)."""
    async with dying_at_a_step(*steps, deduplicates=True) as (house, provider, _):
        house.clock.move_real(5 + 5)
        await house.recovering.run_due()
        await house.service.provider_tasks.finish()

        assert [ttl] * 2 == [each.ttl_seconds for each in provider.messages[1:]]


async def test_a_step_is_not_repeated_elsewhere() -> None:
    """It may have arrived, and two messages are worse than an unknown outcome (C-20)."""
    async with dying_at_a_step(step(), deduplicates=False) as (house, provider, run):
        reference = provider.messages[1].reference
        house.clock.move_real(5 + 5)
        await house.recovering.run_due()
        await house.service.provider_tasks.finish()

        assert 2 == len(house.provider.messages)
        assert OutcomeStatus.UNKNOWN is await outcome_of(house, reference)
        assert (
            await house.service.journal.load(fallback_run_decider, run)
        ).state.undispatched is None


async def test_a_step_that_another_account_may_have_taken_is_not_repeated() -> None:
    """The process died with it at one of two accounts, and nobody knows at which (D-227)."""
    async with dying_at_a_step(step(), deduplicates=True) as (house, provider, _):
        service = house.service
        spare = await service.channel_accounts.create(
            house.by, channel_type=Channel.SMS, provider="scripted", name="spare", config={}
        )
        patch = ChannelAccountPatch(given={"failover"}, failover=(spare.id,))
        used = provider.messages[1].channel_account_id
        await service.revising_channel_accounts.update(house.by, used, patch)
        house.clock.move_real(5 + 5)
        await house.recovering.run_due()
        await house.service.provider_tasks.finish()

        assert 2 == len(provider.messages)
        assert OutcomeStatus.UNKNOWN is await outcome_of(house, provider.messages[1].reference)


async def test_a_repeated_step_is_watched_again() -> None:
    """A second crash is recovered as the first."""
    async with dying_at_a_step(step(), deduplicates=True) as (house, provider, _):
        provider.may_answer.clear()
        provider.asked.clear()
        house.clock.move_real(10)
        await house.recovering.run_due()
        await provider.asked.wait()
        house.service.provider_tasks.abandon()
        provider.may_answer.set()
        assert 0 == await house.recovering.run_due()
        house.clock.move_real(10)
        await house.recovering.run_due()
        await house.service.provider_tasks.finish()

        assert 1 == len({each.reference for each in provider.messages[1:]})
        assert OutcomeStatus.ACCEPTED is await outcome_of(house, provider.messages[1].reference)


async def test_an_outcome_that_was_recorded_after_all_is_left_alone() -> None:
    """Recovery that looked too early, or twice, adds nothing."""
    house = await build_house()
    (sent,) = await send(house)
    story = await house.story(sent.message_id)
    now = house.clock.now()
    due_row = Due(DueKind.ORPHANED_DISPATCH, sent.message_id, 1, house.clock.real())
    await house.service.journal.write(house.by, now, due=(due_row,))
    await house.recovering.run_due()

    assert story == await house.story(sent.message_id)
    assert 0 == await house.recovering.run_due()
