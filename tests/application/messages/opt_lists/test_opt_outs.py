"""The effect of an opt-out on sends and fallbacks, concurrent ones included (C-27, C-48, D-72)."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from tests.application.house import House, build_house, node_on
from tests.application.post_office import (
    READY,
    RECIPIENT,
    WAIT,
    fallback,
    falls_back,
    message,
    send,
    session,
    step,
    work,
)
from tests.application.stored_templates import keep_rcs, keep_whatsapp
from tests.fakes.providers import HesitantProvider, RevokingProvider
from watchword.application.messages.opt_lists.keeping_opt_lists import ListChange
from watchword.application.messages.sending_messages import SentMessage
from watchword.domain.channel import Channel
from watchword.domain.consent import OptList
from watchword.domain.fallback_run import RevokeOutcome, fallback_run_decider
from watchword.domain.message import WhatsappTemplateContent, message_decider

GREETING = WhatsappTemplateContent(name="greeting", language="en")
GREET = message(GREETING, Channel.WHATSAPP, path="wa[0]", content_path="wa[0].template.components")
REFUSED = (False, "recipient_opted_out")


async def opt_out(house: House, *numbers: str) -> ListChange:
    """Put numbers on the opt-out list."""
    return await house.service.opt_lists.put(house.by, OptList.OUT, numbers or (RECIPIENT,))


async def opt_in(house: House) -> ListChange:
    """Put the recipient on the opt-in list."""
    return await house.service.opt_lists.put(house.by, OptList.IN, (RECIPIENT,))


async def greeting_house(*steps: Channel) -> House:
    """Return a house with a template, which falls back to these steps."""
    house = await build_house()
    await keep_whatsapp(house)
    await falls_back(house, *steps)
    return house


def answer_to(sent: SentMessage) -> tuple[bool, str | None]:
    """Say how an entry was answered."""
    return sent.accepted, sent.error_code


async def run_story(house: House, sent: SentMessage) -> list[str]:
    """Name the events of an entry's fallback run."""
    return await house.story(str(sent.run_id))


@pytest.mark.parametrize("spelling", [RECIPIENT, "00447700900123", "44 7700 900-123"])
async def test_a_send_to_an_opted_out_number_is_rejected(spelling: str) -> None:
    """Only its entry is rejected, for any spelling of the number; no provider is called."""
    house = await greeting_house()
    await opt_out(house, spelling)
    other = message(GREETING, Channel.WHATSAPP, recipient="+447700900999")

    assert [REFUSED, (True, None)] == [answer_to(each) for each in await send(house, GREET, other)]
    assert ["+447700900999"] == [each.destination for each in house.provider.messages]


async def test_it_is_recorded_like_any_other_rejection() -> None:
    """The message has its history, and counts as a rejected primary: its fallback fires (C-48)."""
    house = await greeting_house()
    await opt_out(house)
    (sent,) = await send(house, GREET, fallback=fallback())
    await work(house)

    assert ["MessageSubmitted", "MessageDispatched"] == await house.story(sent.message_id)
    assert ["FallbackArmed", "FallbackTriggered", "FallbackFired", "FallbackDispatched"] == (
        await run_story(house, sent)
    )
    assert [Channel.SMS] == [each.channel for each in house.provider.messages]


async def test_it_comes_before_a_closed_session() -> None:
    """The opt-out covers sessions too (C-48)."""
    house = await greeting_house()
    assert "session_expired" == (await send(house, session()))[0].error_code
    await opt_out(house)

    assert REFUSED == answer_to((await send(house, session()))[0])


async def test_other_channels_and_accounts_are_not_touched() -> None:
    """The list is WhatsApp's, and the account's own (C-7)."""
    house = await greeting_house()
    operator = house.by
    neighbour = await house.service.accounts.create(operator, "neighbour")
    theirs = type(operator)(neighbour.id, "key_theirs", "req_theirs")
    await house.service.opt_lists.put(theirs, OptList.OUT, (RECIPIENT,))
    assert (True, None) == answer_to((await send(house, GREET))[0])

    await opt_out(house)
    assert (True, None) == answer_to((await send(house, message(READY)))[0])


@pytest.mark.parametrize("back", ["opt in", "take off"])
async def test_whoever_comes_back_is_written_to(back: str) -> None:
    """Opting in, and leaving the opt-out list, both allow sends again."""
    house = await greeting_house()
    await opt_out(house)
    if back == "opt in":
        await opt_in(house)
    else:
        await house.service.opt_lists.take_off(house.by, OptList.OUT, (RECIPIENT,))

    assert (True, None) == answer_to((await send(house, GREET))[0])


async def test_a_pin_is_no_message() -> None:
    """Codes that a person asks for are sent on: dispatches of PINs go by no list (C-23, D-73)."""
    house = await greeting_house()
    await opt_out(house, "+919812345610")

    assert (await house.issue()).pin_id in await house.pins()
    assert ["+919812345610"] == [each.destination for each in house.provider.messages]


async def test_an_opt_out_that_comes_in_between_wins() -> None:
    """Decided before the send was recorded, so that the log never shows a send after it (D-72)."""
    house = await greeting_house()
    house.store.meanwhile = partial(opt_out, node_on(house))
    (sent,) = await send(house, GREET, fallback=fallback())
    types = [each.type for each in await house.store.read_log(0, 1000)]

    assert REFUSED == answer_to(sent)
    assert [] == house.provider.messages
    assert types.index("RecipientOptedOut") < types.index("MessageSubmitted")
    assert 1 == types.count("MessageSubmitted")


async def test_an_opt_in_that_comes_in_between_wins_too() -> None:
    """The answer and the log agree with the consent at that moment."""
    house = await greeting_house()
    await opt_out(house)
    house.store.meanwhile = partial(opt_in, node_on(house))

    assert (True, None) == answer_to((await send(house, GREET))[0])


async def test_what_was_taken_in_before_goes_on() -> None:
    """The append decides: a message that is with its provider already is not called back."""
    provider = HesitantProvider()
    house = await build_house(provider)
    await keep_whatsapp(house)
    sending = asyncio.create_task(send(house, GREET))
    await provider.asked.wait()
    assert ListChange(changed=1, unchanged=0) == await opt_out(house)
    provider.may_answer.set()

    assert (True, None) == answer_to((await sending)[0])


async def test_an_opt_out_stops_a_waiting_step() -> None:
    """The only step ends the run as rejected, and the silent primary is left alone (C-51)."""
    house = await greeting_house(Channel.WHATSAPP)
    (sent,) = await send(house, fallback=fallback(step(GREETING, Channel.WHATSAPP)))
    await opt_out(house)
    house.clock.move(WAIT)
    await work(house)
    run = (await house.service.journal.load(fallback_run_decider, str(sent.run_id))).state
    primary = (await house.service.journal.load(message_decider, sent.message_id)).state

    assert ["FallbackArmed", "FallbackTriggered", "FallbackRejected"] == (
        await run_story(house, sent)
    )
    assert ("rejected", "recipient_opted_out") == (run.status, run.steps[0].error_code)
    assert "accepted" == primary.status
    assert [Channel.SMS] == [each.channel for each in house.provider.messages]


async def test_the_step_after_it_is_sent_at_once() -> None:
    """The opt-out covers WhatsApp alone; the primary is ended before the step (D-73)."""
    house = await greeting_house(Channel.WHATSAPP, Channel.RCS)
    await keep_rcs(house)
    steps = (step(GREETING, Channel.WHATSAPP), step(READY, Channel.RCS))
    (sent,) = await send(house, fallback=fallback(*steps))
    await opt_out(house)
    house.clock.move(WAIT)
    await work(house)

    assert [
        "FallbackArmed",
        "FallbackTriggered",
        "StepPassedOver",
        "AttemptEnded",
        "FallbackFired",
        "FallbackDispatched",
    ] == await run_story(house, sent)
    assert [Channel.SMS, Channel.RCS] == [each.channel for each in house.provider.messages]
    assert "MessageEnded" == (await house.story(sent.message_id))[-1]


async def test_an_opt_out_between_the_look_and_the_fire_wins() -> None:
    """Firing is as conditional as sending (D-72)."""
    house = await greeting_house(Channel.WHATSAPP)
    (sent,) = await send(house, fallback=fallback(step(GREETING, Channel.WHATSAPP)))
    house.clock.move(WAIT)
    house.store.meanwhile = partial(opt_out, node_on(house))
    await work(house)

    assert "FallbackRejected" == (await run_story(house, sent))[-1]
    assert [Channel.SMS] == [each.channel for each in house.provider.messages]


@pytest.mark.parametrize("outcome", RevokeOutcome)
async def test_an_opt_out_while_the_primary_is_taken_back_wins(outcome: RevokeOutcome) -> None:
    """How the primary was ended is recorded, and the step is not sent."""
    provider = RevokingProvider(outcome)
    house = await build_house(provider)
    await keep_whatsapp(house)
    await falls_back(house, Channel.WHATSAPP)
    (sent,) = await send(house, fallback=fallback(step(GREETING, Channel.WHATSAPP)))
    house.clock.move(WAIT)
    await house.firing.run_due()
    await opt_out(house)
    provider.may_answer.set()
    await house.service.provider_tasks.finish()
    arrived = outcome is RevokeOutcome.DELIVERED
    last = "FallbackStoodDown" if arrived else "FallbackRejected"

    assert ["FallbackArmed", "FallbackTriggered", "AttemptEnded", last] == (
        await run_story(house, sent)
    )
    assert arrived is ("MessageEnded" not in await house.story(sent.message_id))
    assert 1 == len(provider.messages)
    assert 0 == await house.firing.run_due()


async def test_a_step_whose_process_died_is_not_sent_again() -> None:
    """It may have been sent, and must not be sent now."""
    provider = HesitantProvider(asked_by=2)
    house = await build_house(provider)
    await keep_whatsapp(house)
    await falls_back(house, Channel.WHATSAPP)
    provider.may_answer.set()
    await send(house, fallback=fallback(step(GREETING, Channel.WHATSAPP)))
    provider.may_answer.clear()
    house.clock.move(WAIT)
    worker = asyncio.create_task(work(house))
    await provider.asked.wait()
    worker.cancel()
    house.service.provider_tasks.abandon()
    provider.deduplicates = True
    await opt_out(house)
    house.clock.move_real(45)
    await house.recovering.run_due()
    await house.service.provider_tasks.finish()
    step_id = provider.messages[-1].reference

    assert 2 == len(provider.messages)
    outcome = (await house.service.journal.load(message_decider, step_id)).state.outcome
    assert outcome is not None
    assert "unknown" == outcome.status
