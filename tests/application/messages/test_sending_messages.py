"""Sending messages: the appends before and after the provider's call (SPEC B1, C-19, C-48)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import attrs
import pytest

from tests.application.house import House, build_house, claim
from tests.application.post_office import (
    CODE,
    READY,
    RECIPIENT,
    WAIT,
    fallback,
    falls_back,
    message,
    receive,
    send,
    session,
    step,
)
from tests.application.stored_templates import keep_rcs, keep_whatsapp, review_rcs
from tests.fakes.providers import BlabbingProvider, QuotingProvider, ScriptedProvider
from watchword.application.errors import UnavailableError
from watchword.application.messages.planning.send_requests import SendRequest
from watchword.application.ports.channels import Accepted, Message, Rejected
from watchword.application.ports.event_store import DueKind, KeyAnswered
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.fallback_run import FallbackArmed
from watchword.domain.message import (
    MessageSubmitted,
    RcsTemplateContent,
    WhatsappTemplateContent,
)
from watchword.domain.rcs_template import MessageType
from watchword.domain.template_filling import (
    MessageTemplateNotFoundError,
    TemplateNotApprovedError,
)

GREETING = RcsTemplateContent(
    message_type="template", template_code="greeting", params={"name": "Asha"}
)
WELCOME = "Hello [name], and a very warm welcome to our house in [place]."


async def log_of(house: House) -> str:
    """Return everything in the store's log, as text."""
    return repr([attrs.asdict(each.event) for each in await house.store.read_log(0, 1000)])


async def test_a_message_is_recorded_before_and_after_its_dispatch() -> None:
    """The message is stored before its provider is called, and its outcome before the answer."""
    seen: list[list[str]] = []

    async def look(sent: Message) -> Accepted:
        seen.append(await house.story(sent.reference))
        return Accepted("provider-1")

    house = await build_house(ScriptedProvider(look))
    (sent,) = await send(house)

    assert [["MessageSubmitted"]] == seen
    assert sent.accepted
    assert ["MessageSubmitted", "MessageDispatched"] == await house.story(sent.message_id)


async def test_the_provider_gets_all_that_it_needs() -> None:
    """The reference is the message's id, and nothing of the content is lost on the way."""
    house = await build_house()
    (sent,) = await send(house, message(ttl_seconds=90))

    (handed,) = house.provider.messages
    assert sent.message_id == handed.reference
    assert (RECIPIENT, "TEAHSE", READY.text, READY) == (
        handed.destination,
        handed.sender,
        handed.text,
        handed.content,
    )
    assert 90 == handed.ttl_seconds


async def test_a_prefix_goes_before_a_number_without_it() -> None:
    """Every later record has the recipient with its prefix (C-28)."""
    house = await build_house()
    (sent,) = await send(house, message(recipient="7700900123"), prefix="44")

    assert "447700900123" == sent.recipient == house.provider.messages[0].destination


async def test_entries_answer_in_the_order_given() -> None:
    """Each entry has its own outcome, in any order of the providers' answers."""

    async def slow_first(sent: Message) -> Accepted | Rejected:
        if sent.destination.endswith("1"):
            for _ in range(20):
                await asyncio.sleep(0)
        if sent.destination.endswith("2"):
            return Rejected("unknown_number", "Nobody has this number.")
        return Accepted(f"provider-{sent.destination}")

    house = await build_house(ScriptedProvider(slow_first))
    sent = await send(house, *(message(recipient=f"+44770090000{n}") for n in range(1, 5)))

    assert [f"+44770090000{n}" for n in range(1, 5)] == [each.recipient for each in sent]
    assert [True, False, True, True] == [each.accepted for each in sent]
    assert "unknown_number" == sent[1].error_code
    for each in sent:
        assert ["MessageSubmitted", "MessageDispatched"] == await house.story(each.message_id)


async def test_the_saved_answer_comes_with_the_last_outcome() -> None:
    """A replay of a call of three returns it, and nothing is sent again (C-10)."""
    house = await build_house()
    three = [message(recipient=f"+44770090000{n}") for n in range(3)]
    sent = await send(house, *three, once="k-1")

    with pytest.raises(KeyAnswered) as replay:
        await send(house, *three, once="k-1")

    assert 3 == len(house.provider.messages)
    for each in sent:
        assert each.message_id.encode() in replay.value.answer


async def test_the_answer_of_a_refused_replay_is_the_first_one() -> None:
    """A known key comes before later mistakes (D-13)."""
    house = await build_house()
    template_id = await keep_rcs(house, WELCOME)
    greeting = message(
        attrs.evolve(GREETING, params={"name": "Asha", "place": "Leeds"}), Channel.RCS
    )
    await send(house, greeting, once="k-1")
    await review_rcs(house, template_id, approves=False)

    with pytest.raises(KeyAnswered):
        await send(house, greeting, once="k-1")


async def test_what_fails_unexpectedly_after_the_dispatch_is_saved() -> None:
    """A retry must not send again (C-10)."""

    async def break_once() -> None:
        raise LookupError("a bug of ours")

    async def accept(sent: Message) -> Accepted:
        house.store.meanwhile = break_once
        return Accepted("provider-1")

    house = await build_house(ScriptedProvider(accept))
    with pytest.raises(LookupError):
        await send(house, once="k-1")

    with pytest.raises(KeyAnswered) as replay:
        await send(house, once="k-1")
    assert b"LookupError" in replay.value.answer
    assert 1 == len(house.provider.messages)


async def test_a_fallback_arms_one_run_for_each_message() -> None:
    """With its deadline in the store before the provider is asked (C-20)."""
    house = await build_house()
    await falls_back(house)
    sent = await send(house, message(), message(recipient="+447700900124"), fallback=fallback())

    runs = [each.run_id for each in sent]
    assert 2 == len(set(runs))
    for each in sent:
        assert each.run_id is not None
        (armed,) = [one.event for one in await house.store.read_stream(each.run_id)]
        assert isinstance(armed, FallbackArmed)
        assert (each.message_id, each.recipient) == (armed.message_id, armed.steps[0].recipient)
    deadline = house.clock.now() + timedelta(seconds=WAIT)
    due = await house.service.journal.due(DueKind.FALLBACK, deadline, 10)
    assert [(run, deadline) for run in sorted(map(str, runs))] == sorted(
        (each.stream, each.at) for each in due
    )


async def test_a_ttl_ends_with_the_wait() -> None:
    """The primary's is capped at the wait time, which is its default with a fallback (C-20)."""
    house = await build_house()
    await falls_back(house)
    wishes = (None, 30, 3600)
    await send(house, *(message(ttl_seconds=each) for each in wishes), fallback=fallback())

    assert [60, 30, 60] == [each.ttl_seconds for each in house.provider.messages]


async def test_an_unknown_configuration_is_named() -> None:
    """400 with the path, and nothing is sent (C-35)."""
    house = await build_house()
    with pytest.raises(ValidationFailedError) as refusal:
        await send(house, fallback=fallback())

    assert ["fallback.fallback_id"] == [each.field for each in refusal.value.problems]
    assert [] == house.provider.messages


async def test_fallback_objects_are_those_of_the_steps() -> None:
    """The ones that the configuration names, no others (C-52)."""
    house = await build_house()
    await falls_back(house, Channel.SMS, Channel.WHATSAPP)
    with pytest.raises(ValidationFailedError) as refusal:
        await send(house, fallback=fallback(step(), step(GREETING, Channel.RCS)))

    assert ["fallback.whatsapp", "fallback.rcs"] == [each.field for each in refusal.value.problems]


async def test_a_channel_without_an_account_is_named() -> None:
    """No message can be sent on it, as primary or as step."""
    house = await build_house()
    with pytest.raises(ValidationFailedError) as refusal:
        await send(house, message(channel=Channel.EMAIL, path="sms[0]"))

    assert ["sms[0].sender"] == [each.field for each in refusal.value.problems]


@pytest.mark.parametrize("placed", ["primary", "fallback"])
async def test_an_unknown_template_fails_the_call(placed: str) -> None:
    """404, in a fallback too, and nothing is sent (C-48, C-64)."""
    house = await build_house()
    await falls_back(house, Channel.RCS)
    rcs = message(GREETING, Channel.RCS) if placed == "primary" else message()
    with pytest.raises(MessageTemplateNotFoundError):
        await send(house, rcs, fallback=fallback(step(GREETING, Channel.RCS)))

    assert [] == house.provider.messages


async def test_an_unapproved_template_fails_the_call_as_primary_alone() -> None:
    """409; as a step it is looked at when it fires (C-48, C-52)."""
    house = await build_house()
    await falls_back(house, Channel.RCS)
    full = attrs.evolve(GREETING, params={"name": "Asha", "place": "Leeds"})
    await keep_rcs(house, WELCOME, approved=False)
    with pytest.raises(TemplateNotApprovedError):
        await send(house, message(full, Channel.RCS))
    (sent,) = await send(house, fallback=fallback(step(full, Channel.RCS)))

    assert sent.accepted


async def test_a_placeholder_without_a_value_is_named() -> None:
    """Every placeholder of the template must be filled (C-60)."""
    house = await build_house()
    await keep_rcs(house, WELCOME)
    with pytest.raises(ValidationFailedError) as refusal:
        await send(house, message(GREETING, Channel.RCS, content_path="rcs[0].contentMessage"))

    (problem,) = refusal.value.problems
    assert "rcs[0].contentMessage" == problem.field
    assert "place" in problem.message


@pytest.mark.parametrize(("length", "fits"), [(1303, True), (1304, False)])
async def test_a_template_is_filled_up_to_a_bound(length: int, fits: bool) -> None:
    """128 Ki characters; here 700 stand around a hundred values (D-95)."""
    house = await build_house()
    await keep_rcs(house, "[n] hello " * 100)
    content = attrs.evolve(GREETING, params={"n": "x" * length})
    if fits:
        await send(house, message(content, Channel.RCS))
    else:
        with pytest.raises(ValidationFailedError):
            await send(house, message(content, Channel.RCS))

    assert fits == bool(house.provider.messages)


async def test_twenty_wrong_entries_are_named() -> None:
    """In a call with any number of them (D-19)."""
    house = await build_house()
    await keep_rcs(house, WELCOME)
    entries = [
        message(GREETING, Channel.RCS, content_path=f"rcs[{number}]") for number in range(30)
    ]
    with pytest.raises(ValidationFailedError) as refusal:
        await send(house, *entries)

    assert 20 == len(refusal.value.problems)


async def test_a_template_is_put_into_words() -> None:
    """Providers that show texts get one; values are not searched for placeholders."""
    house = await build_house()
    await keep_rcs(house, WELCOME)
    await keep_whatsapp(house, "{{1}} orders {{2}} today.", name="order")
    body = {"type": "body", "parameters": [{"type": "text", "text": t} for t in ("Asha", "{{1}}")]}
    order = WhatsappTemplateContent(name="order", language="en", components=(body,))
    full = attrs.evolve(GREETING, params={"name": "[place]", "place": "Leeds"})
    await send(house, message(full, Channel.RCS), message(order, Channel.WHATSAPP))

    assert {
        "Hello [place], and a very warm welcome to our house in Leeds.",
        "Asha orders {{1}} today.",
    } == {each.text for each in house.provider.messages}


async def test_a_session_needs_a_person_who_wrote() -> None:
    """Without a message within 24 hours, the entry alone is rejected (C-26, C-48)."""
    house = await build_house()
    closed, sms = await send(house, session(), message())

    assert (False, "session_expired") == (closed.accepted, closed.error_code)
    assert sms.accepted
    assert [Channel.SMS] == [each.channel for each in house.provider.messages]
    assert ["MessageSubmitted", "MessageDispatched"] == await house.story(closed.message_id)


@pytest.mark.parametrize(("hours", "accepted"), [(0, True), (24, True), (25, False)])
async def test_a_session_is_open_for_a_day(hours: int, accepted: bool) -> None:
    """It lasts from the person's last WhatsApp message to this account, in any spelling of the number."""
    house = await build_house()
    await receive(house, sender="447700900123")
    house.clock.move(hours * 3600)
    (sent,) = await send(house, session())

    assert accepted == sent.accepted


async def test_a_session_with_another_account_opens_nothing() -> None:
    """A session on another channel does not either (C-7)."""
    house = await build_house()
    await receive(house, account_id="acc_other")
    await receive(house, channel=Channel.RCS)
    (sent,) = await send(house, session())

    assert not sent.accepted


async def test_a_closed_session_falls_back_at_once() -> None:
    """It counts as a rejected primary (C-20, C-48)."""
    house = await build_house()
    await falls_back(house)
    (sent,) = await send(house, session(), fallback=fallback())
    assert sent.run_id is not None

    assert ["FallbackArmed", "FallbackTriggered"] == await house.story(sent.run_id)


async def test_a_call_of_closed_sessions_alone_is_saved_too() -> None:
    """Its entries are recorded, so a retry must not record them again (C-10)."""
    house = await build_house()
    await send(house, session(), once="k-1")

    with pytest.raises(KeyAnswered):
        await send(house, session(), once="k-1")


async def test_a_code_is_in_no_event() -> None:
    """A primary's content is not stored, and a fallback's is sealed (C-23)."""
    house = await build_house()
    await falls_back(house)
    (sent,) = await send(house, message(CODE), fallback=fallback(step(CODE)))
    assert sent.run_id is not None

    submitted = (await house.store.read_stream(sent.message_id))[0].event
    assert isinstance(submitted, MessageSubmitted)
    assert submitted.content is None
    assert "CANARY4711X" not in await log_of(house)
    assert await house.store.seal_key(sent.run_id) is not None


async def test_a_template_can_make_any_value_a_code() -> None:
    """The values of a template of type OTP are never stored in clear (C-23)."""
    house = await build_house()
    await falls_back(house, Channel.RCS)
    await keep_rcs(house, WELCOME, message_type=MessageType.OTP)
    code = attrs.evolve(GREETING, params={"name": "Asha", "place": "CANARY4711X"})
    (sent,) = await send(
        house, message(code, Channel.RCS), fallback=fallback(step(code, Channel.RCS))
    )

    assert "CANARY4711X" in house.provider.messages[0].text
    assert "CANARY4711X" not in await log_of(house)
    assert sent.accepted


@pytest.mark.parametrize("provider", [QuotingProvider, BlabbingProvider])
async def test_a_provider_that_quotes_a_code_is_not_repeated(
    provider: type[ScriptedProvider],
) -> None:
    """Its words are in no answer and no log; any of them may be the code (D-34)."""
    house = await build_house(provider())
    (sent,) = await send(house, message(CODE))

    assert not sent.accepted
    assert "CANARY4711X" not in repr(sent) + await log_of(house)


async def test_a_message_without_a_code_keeps_the_providers_words() -> None:
    """The words say what to do next."""
    house = await build_house(QuotingProvider())
    (sent,) = await send(house)

    assert sent.error_message is not None
    assert sent.error_message.endswith(f"{READY.text} to {RECIPIENT}")


async def test_a_store_out_of_reach_sends_nothing() -> None:
    """A message that is not recorded is not sent."""
    house = await build_house()
    house.store.reachable = False
    request = SendRequest(messages=(message(),))
    with pytest.raises(UnavailableError):
        await house.service.sending_messages.send(house.by, request, claim("k-1", "one"))

    assert [] == house.provider.messages
