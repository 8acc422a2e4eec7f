"""Fallback runs: which step is sent, when, and once (C-20, C-21, C-23, C-50)."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

import attrs
import pytest

from tests.application.house import House, build_house
from tests.application.post_office import (
    CODE,
    READY,
    RECIPIENT,
    WAIT,
    fallback,
    falls_back,
    send,
    step,
    work,
)
from tests.application.stored_templates import keep_rcs, review_rcs
from tests.fakes.providers import HesitantProvider, RevokingProvider, ScriptedProvider
from watchword.application.messages.planning.send_requests import FallbackRequest
from watchword.application.ports.channels import Accepted, Message, Rejected
from watchword.application.ports.event_store import Due, DueKind
from watchword.domain.channel import Channel
from watchword.domain.event import Event
from watchword.domain.fallback_run import (
    AttemptEnded,
    FallbackFired,
    FallbackRejected,
    FallbackTriggered,
    RevokeOutcome,
    TriggerReason,
    fallback_run_decider,
)
from watchword.domain.message import (
    MessageStatus,
    RcsTemplateContent,
    SmsContent,
    message_decider,
)

E = TypeVar("E", bound=Event)

GREETING = RcsTemplateContent(message_type="template", template_code="greeting")


async def armed(house: House, waits: int = WAIT) -> tuple[str, str]:
    """Send one message with a fallback, and return its id and its run's."""
    (sent,) = await send(house, fallback=fallback(waits=waits))
    assert sent.run_id is not None
    return sent.message_id, sent.run_id


async def silent(*steps: Channel, provider: ScriptedProvider | None = None) -> House:
    """Build a house whose account falls back to SMS, or to these."""
    house = await build_house(provider)
    await falls_back(house, *steps)
    return house


async def status(house: House, message_id: str) -> MessageStatus:
    """Return a message's status."""
    return (await house.service.journal.load(message_decider, message_id)).state.status


async def events(house: House, stream: str, kind: type[E]) -> list[E]:
    """Return the events of one kind on a stream."""
    story = await house.store.read_stream(stream)
    return [each.event for each in story if isinstance(each.event, kind)]


async def remind(house: House, run: str) -> None:
    """Make the worker handle a run now."""
    now = house.clock.now()
    await house.service.journal.write(house.by, now, due=(Due(DueKind.FALLBACK, run, 1, now),))


async def reject_first(sent: Message) -> Accepted | Rejected:
    """Refuse messages of the first sender, and accept those of a fallback."""
    if sent.ttl_seconds is not None:
        return Rejected("unknown_number", "Nobody has this number.")
    return Accepted(sent.reference)


def two_steps() -> FallbackRequest:
    """Fall back to SMS, then to RCS."""
    return fallback(step(), step(GREETING, Channel.RCS))


async def test_silence_fires_at_the_deadline() -> None:
    """Not before, and to the same person, under a reference of its own (C-20)."""
    house = await silent()
    primary, run = await armed(house)
    house.clock.move(WAIT - 0.001)
    await work(house)
    assert ["FallbackArmed"] == await house.story(run)

    house.clock.move(0.001)
    await work(house)

    assert [
        "FallbackArmed",
        "FallbackTriggered",
        "AttemptEnded",
        "FallbackFired",
        "FallbackDispatched",
    ] == await house.story(run)
    first, second = house.provider.messages
    assert (RECIPIENT, READY.text) == (second.destination, second.text)
    assert primary == first.reference
    assert primary != second.reference
    assert MessageStatus.EXPIRED is await status(house, primary)
    assert ["MessageSubmitted", "MessageDispatched"] == await house.story(second.reference)


async def test_a_step_is_sent_after_its_fire_is_durable() -> None:
    """`FallbackFired` stands just before the send."""
    seen: list[list[str]] = []

    async def look(sent: Message) -> Accepted:
        log = await house.store.read_log(0, 100)
        seen.append([each.type for each in log if each.type == "FallbackFired"])
        return Accepted(sent.reference)

    house = await silent(provider=ScriptedProvider(look))
    await armed(house)
    house.clock.move(WAIT)
    await work(house)

    assert [[], ["FallbackFired"]] == seen


async def test_a_rejected_primary_fires_at_once() -> None:
    """The run does not wait for its deadline (C-20)."""
    house = await silent(provider=ScriptedProvider(reject_first))
    primary, run = await armed(house)
    await work(house)

    (triggered,) = await events(house, run, FallbackTriggered)
    assert TriggerReason.REJECTED is triggered.reason
    assert 2 == len(house.provider.messages)
    assert MessageStatus.REJECTED is await status(house, primary)


async def test_an_invalid_type_is_found_when_it_fires() -> None:
    """The send was answered well; the run ends rejected, and nothing is sent (C-21)."""
    house = await silent()
    wrong = SmsContent(type="TXN", text=READY.text)
    (sent,) = await send(house, fallback=fallback(step(wrong)))
    primary, run = sent.message_id, str(sent.run_id)
    house.clock.move(WAIT)
    await work(house)

    (rejected,) = await events(house, run, FallbackRejected)
    assert "invalid_type" == rejected.error_code
    assert 1 == len(house.provider.messages)
    assert "rejected" == (await house.service.journal.load(fallback_run_decider, run)).state.status
    assert MessageStatus.ACCEPTED is await status(house, primary)
    assert await house.store.seal_key(run) is None


async def test_a_template_is_looked_at_again_when_it_fires() -> None:
    """One that was rejected since the send ends the run as rejected (C-52)."""
    house = await silent(Channel.RCS)
    template_id = await keep_rcs(house)
    (sent,) = await send(house, fallback=fallback(step(GREETING, Channel.RCS)))
    assert sent.run_id is not None
    await review_rcs(house, template_id, approves=False)
    house.clock.move(WAIT)
    await work(house)

    (rejected,) = await events(house, sent.run_id, FallbackRejected)
    assert "template_not_approved" == rejected.error_code
    assert 1 == len(house.provider.messages)


async def test_a_template_may_be_approved_behind_the_send() -> None:
    """Before its step fires: then it is sent (C-52)."""
    house = await silent(Channel.RCS)
    template_id = await keep_rcs(house, approved=False)
    await send(house, fallback=fallback(step(GREETING, Channel.RCS)))
    await review_rcs(house, template_id)
    house.clock.move(WAIT)
    await work(house)

    assert ["Your tea is ready.", "Hello."] == [each.text for each in house.provider.messages]


async def test_a_sealed_code_is_sent_and_its_key_dropped() -> None:
    """The provider gets it, no event contains it, and afterwards nothing can open it (C-23)."""
    house = await silent()
    (sent,) = await send(house, fallback=fallback(step(CODE)))
    assert sent.run_id is not None
    assert await house.store.seal_key(sent.run_id) is not None
    house.clock.move(WAIT)
    await work(house)

    assert [READY.text, CODE.text] == [each.text for each in house.provider.messages]
    assert await house.store.seal_key(sent.run_id) is None
    log = repr([attrs.asdict(each.event) for each in await house.store.read_log(0, 1000)])
    assert "CANARY4711X" not in log


async def test_the_dlt_ids_of_a_step_reach_the_provider() -> None:
    """They are kept with the step, a sealed one too, until it fires (C-71)."""
    house = await silent()
    for content in (READY, CODE):
        registered = attrs.evolve(content, template_id="1107", entity_id="1101")
        await send(house, fallback=fallback(step(registered)))
    house.clock.move(WAIT)
    await work(house)

    fired = house.provider.messages[2:]
    assert [("1107", "1101")] * 2 == [(each.template_id, each.entity_id) for each in fired]


async def test_a_seal_that_does_not_open_ends_the_run() -> None:
    """The status says why, and nothing is sent."""
    house = await silent()
    (sent,) = await send(house, fallback=fallback(step(CODE)))
    assert sent.run_id is not None
    await house.service.journal.write(house.by, house.clock.now(), dropping=(sent.run_id,))
    house.clock.move(WAIT)
    await work(house)

    (rejected,) = await events(house, sent.run_id, FallbackRejected)
    assert "content_unavailable" == rejected.error_code


async def test_a_second_step_waits_its_own_time() -> None:
    """A full waittime from the first step's outcome (C-50)."""
    house = await silent(Channel.SMS, Channel.RCS)
    await keep_rcs(house)
    (sent,) = await send(house, fallback=two_steps())
    assert sent.run_id is not None
    house.clock.move(WAIT + 7)
    await work(house)
    house.clock.move(WAIT - 1)
    await work(house)
    assert 2 == len(house.provider.messages)

    house.clock.move(1)
    await work(house)

    assert [Channel.SMS, Channel.SMS, Channel.RCS] == [
        each.channel for each in house.provider.messages
    ]
    assert [WAIT, None] == [each.ttl_seconds for each in house.provider.messages[1:]]
    assert [1, 2] == [each.step for each in await events(house, sent.run_id, FallbackFired)]


async def test_a_rejected_step_fires_the_next_one_at_once() -> None:
    """A failure of any attempt does not wait for a deadline (C-20, C-50)."""

    async def take_rcs(sent: Message) -> Accepted | Rejected:
        if sent.channel is Channel.RCS:
            return Accepted("rcs-1")
        return Rejected("unknown_number", "Nobody has this number.")

    house = await silent(Channel.SMS, Channel.RCS, provider=ScriptedProvider(take_rcs))
    await keep_rcs(house)
    (sent,) = await send(house, fallback=two_steps())
    assert sent.run_id is not None
    await work(house)

    triggers = await events(house, sent.run_id, FallbackTriggered)
    assert [TriggerReason.REJECTED, TriggerReason.REJECTED] == [each.reason for each in triggers]
    assert 3 == len(house.provider.messages)


async def test_two_nodes_fire_once() -> None:
    """The node that records the fire sends the step; the other has nothing to do."""
    house = await silent()
    await asyncio.gather(*(armed(house) for _ in range(30)))
    house.clock.move(WAIT)
    await asyncio.gather(*(house.firing.run_due() for _ in range(5)))
    await house.service.provider_tasks.finish()
    await work(house)

    fired = [
        each.event.message_id
        for each in await house.store.read_log(0, 1000)
        if isinstance(each.event, FallbackFired)
    ]
    assert 30 == len(fired) == len(set(fired))
    assert sorted(fired) == sorted(each.reference for each in house.provider.messages[30:])


async def test_a_lost_race_is_decided_again() -> None:
    """The run fires on the next try, and once."""
    house = await silent()
    _, run = await armed(house)
    house.clock.move(WAIT)
    house.store.races = 3
    await work(house)

    assert 1 == (await house.story(run)).count("FallbackFired")


async def test_a_due_row_that_came_for_nothing_is_taken_back() -> None:
    """The worker would find it again and again."""
    house = await silent()
    _, run = await armed(house)
    house.clock.move(WAIT)
    await work(house)
    await remind(house, run)

    assert 1 == await house.firing.run_due()
    assert 0 == await house.firing.run_due()


async def test_a_due_row_that_came_too_early_goes_back_to_the_deadline() -> None:
    """A clock that was ahead, and set right, fires nothing early and loses nothing."""
    house = await silent()
    _, run = await armed(house)
    await remind(house, run)
    await work(house)
    assert ["FallbackArmed"] == await house.story(run)

    house.clock.move(WAIT)
    await work(house)
    assert "FallbackFired" in await house.story(run)


@pytest.mark.parametrize(
    ("outcome", "story", "primary_status"),
    [
        (RevokeOutcome.REVOKED, ["AttemptEnded", "FallbackFired"], MessageStatus.REVOKED),
        (RevokeOutcome.NOT_REVOKED, ["AttemptEnded", "FallbackFired"], MessageStatus.EXPIRED),
        (RevokeOutcome.DELIVERED, ["AttemptEnded", "FallbackStoodDown"], MessageStatus.ACCEPTED),
    ],
)
async def test_a_channel_that_can_revoke_is_asked_first(
    outcome: RevokeOutcome, story: list[str], primary_status: MessageStatus
) -> None:
    """The race is decided before it is asked, and its answer decides the rest (C-20, C-50)."""
    provider = RevokingProvider(outcome)
    house = await silent(provider=provider)
    primary, run = await armed(house)
    house.clock.move(WAIT)
    await house.firing.run_due()
    assert ["FallbackArmed", "FallbackTriggered"] == await house.story(run)
    provider.may_answer.set()
    await house.service.provider_tasks.finish()

    assert story == (await house.story(run))[2:4]
    assert ["scripted-1"] == provider.asked_back
    assert primary_status is await status(house, primary)


async def test_a_revoke_without_an_answer_counts_as_not_revoked() -> None:
    """After the provider time-out the step goes out (C-20)."""
    provider = RevokingProvider(RevokeOutcome.REVOKED)
    house = await build_house(provider, provider_timeout=0.01)
    await falls_back(house)
    primary, run = await armed(house)
    house.clock.move(WAIT)
    await work(house)

    (ended,) = await events(house, run, AttemptEnded)
    assert RevokeOutcome.NOT_REVOKED is ended.outcome
    assert MessageStatus.EXPIRED is await status(house, primary)


@pytest.mark.parametrize("answer", [None, True, "revoked"])
async def test_a_revoke_answered_with_anything_else_counts_as_not_revoked(answer: Any) -> None:
    """An adapter's answer of another type counts as no, and the step is sent (C-20)."""
    provider = RevokingProvider(answer)
    provider.may_answer.set()
    house = await silent(provider=provider)
    primary, run = await armed(house)
    house.clock.move(WAIT)
    await work(house)

    (ended,) = await events(house, run, AttemptEnded)
    assert RevokeOutcome.NOT_REVOKED is ended.outcome
    assert MessageStatus.EXPIRED is await status(house, primary)


async def test_a_revoke_whose_process_died_is_asked_again() -> None:
    """The decided race stays decided, the run does not end silently, and one answer is enough."""
    provider = RevokingProvider(RevokeOutcome.REVOKED)
    house = await silent(provider=provider)
    _, run = await armed(house)
    house.clock.move(WAIT)
    await house.firing.run_due()
    house.clock.move(5 + 10)
    await house.firing.run_due()
    provider.may_answer.set()
    await work(house)

    assert 1 == (await house.story(run)).count("FallbackFired")
    assert 1 == (await house.story(run)).count("FallbackTriggered")
    assert 2 == len(provider.asked_back)
    # A provider that does not find it any more may have revoked it the first time.
    assert [False, True] == provider.asked_before


async def test_a_primary_that_is_still_being_sent_falls_back_too() -> None:
    """A wait shorter than the provider's is over when it is over; the late outcome is recorded."""
    provider = HesitantProvider()
    house = await silent(provider=provider)
    sending = asyncio.create_task(armed(house, waits=1))
    await provider.asked.wait()
    house.clock.move(1)
    await house.firing.run_due()
    provider.may_answer.set()
    primary, run = await sending
    await house.service.provider_tasks.finish()

    assert 1 == (await house.story(run)).count("FallbackFired")
    assert "MessageDispatched" in await house.story(primary)
    assert MessageStatus.EXPIRED is await status(house, primary)


async def test_one_run_that_fails_keeps_no_other_waiting() -> None:
    """The failure is raised at the end, and the run is tried again a minute later."""

    async def break_once() -> None:
        raise LookupError("a bug of ours")

    house = await silent()
    runs = [(await armed(house))[1] for _ in range(2)]
    house.clock.move(WAIT)
    house.store.meanwhile = break_once
    with pytest.raises(LookupError):
        await house.firing.run_due()
    await house.service.provider_tasks.finish()
    assert 3 == len(house.provider.messages)

    house.clock.move(60)
    await work(house)
    assert [1, 1] == [(await house.story(each)).count("FallbackFired") for each in runs]
    assert 4 == len(house.provider.messages)
