"""Dispatch: a failure on one channel is that channel's outcome alone (SPEC D1, C-40)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from attrs import evolve

from tests.application.house import House, build_house
from tests.fakes.providers import BlabbingProvider, HesitantProvider, ScriptedProvider
from watchword.application.caller import Caller
from watchword.application.journal import Journal
from watchword.application.pins.dispatching import Dispatching
from watchword.application.ports.channels import Accepted, ChannelProvider, Message, Rejected
from watchword.application.provider_calls import MAX_IN_FLIGHT, ProviderCalls
from watchword.application.provider_calls.bounds import CONCURRENCY, MOST_WAITING
from watchword.domain.channel import Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.pin import DispatchFailedError
from watchword.domain.pin_template import TemplateChannel


def calls_of(
    house: House, providers: Mapping[str, ChannelProvider], within: float = 5.0, places: int = 2048
) -> ProviderCalls:
    """Return the calls of a process with these providers."""
    journal = Journal(house.store)
    secrets = house.service.channel_secrets
    return ProviderCalls(journal, providers, secrets, within, places, clock=house.clock)


async def entry_of(house: House) -> TemplateChannel:
    """Return the channel of the house's template."""
    (entry,) = (await house.service.pin_templates.get(house.by, house.template_id)).channels
    return entry


async def dispatched(
    house: House, provider: ChannelProvider, *, name: str = "scripted", within: float = 5.0
) -> ChannelOutcome:
    """Dispatch one code, and return its outcome."""
    dispatching = Dispatching(calls_of(house, {name: provider}, within))
    (outcome,) = await dispatching.dispatch(
        "pin_1", 1, "+919812345611", [await entry_of(house)], "SECRETCODE", {}
    )
    return outcome


async def test_a_message_is_all_that_a_provider_needs() -> None:
    """The reference is ours, and names the PIN, its issue and the channel."""
    house, provider = await build_house(), ScriptedProvider()
    await dispatched(house, provider)
    entry = await entry_of(house)

    assert [
        Message(
            reference="pin_1:1:sms",
            channel=Channel.SMS,
            channel_account_id=entry.channel_account_id,
            destination="+919812345611",
            text="Your verification code is SECRETCODE.",
            unicode=False,
        )
    ] == provider.messages


@pytest.mark.parametrize(
    ("kept", "sent"), [(("1107", "1101"), ("1107", "1101")), (("", ""), (None, None))]
)
async def test_an_sms_has_the_dlt_ids_of_its_entry(
    kept: tuple[str, str], sent: tuple[str | None, str | None]
) -> None:
    """`providerTemplateRef` and `entityId` go to the provider; an empty id is none (C-71)."""
    house, provider = await build_house(), ScriptedProvider()
    entry = evolve(await entry_of(house), provider_template_ref=kept[0], entity_id=kept[1])
    dispatching = Dispatching(calls_of(house, {"scripted": provider}))
    await dispatching.dispatch("pin_1", 1, "+919812345611", [entry], "1234", {})

    assert [sent] == [(each.template_id, each.entity_id) for each in provider.messages]


@pytest.mark.parametrize(
    ("channel", "destination"),
    [(Channel.WHATSAPP, "+919812345611"), (Channel.EMAIL, "ann@tea.example")],
)
async def test_other_channels_have_no_dlt_template(channel: Channel, destination: str) -> None:
    """There the reference names a template of the provider, if anything (SPEC 2.8)."""
    house, provider = await build_house(), ScriptedProvider()
    entry = evolve(await entry_of(house), channel_type=channel, provider_template_ref="tea_code")
    dispatching = Dispatching(calls_of(house, {"scripted": provider}))
    await dispatching.dispatch("pin_1", 1, destination, [entry], "1234", {})

    assert [None] == [each.template_id for each in provider.messages]


async def test_a_provider_that_quotes_the_code_is_not_repeated() -> None:
    """A code in the words of a refusal reads three stars (C-31)."""

    async def quote(message: Message) -> Rejected:
        return Rejected("bad_text", f"Refused: {message.text.lower()}")

    outcome = await dispatched(await build_house(), ScriptedProvider(quote))

    assert "Refused: your verification code is ***." == outcome.error_message


@pytest.mark.parametrize(
    "quoted", ["SECRET-CODE", "secret code", "S E C R E T C O D E", "SEC_RET.CODE"]
)
async def test_a_code_in_groups_is_found(quoted: str) -> None:
    """Whatever stands between the characters of a code, none of it is kept."""

    async def quote(message: Message) -> Rejected:
        return Rejected(f"refused_{quoted}", f"The text has {quoted}!")

    outcome = await dispatched(await build_house(), ScriptedProvider(quote))

    told = outcome.error_code, outcome.error_message
    assert ("provider_rejected", "refused_***: The text has ***!") == told


async def test_a_provider_may_send_by_the_service_itself() -> None:
    """An embedder's adapter that passes a code on to another channel is one that took it."""
    house, provider = await build_house(), ScriptedProvider()
    dispatching = Dispatching(calls_of(house, {"scripted": provider}))
    entries = [await entry_of(house)]

    async def pass_on(message: Message) -> Accepted:
        provider.script = None
        (passed_on,) = await dispatching.dispatch(
            "pin_2", 1, "+919812345622", entries, "SECRETCODE", {}
        )
        return Accepted(f"{message.destination} by {passed_on.status}")

    provider.script = pass_on
    (outcome,) = await dispatching.dispatch("pin_1", 1, "+919812345611", entries, "SECRETCODE", {})

    assert (OutcomeStatus.ACCEPTED, "+919812345611 by accepted") == (
        outcome.status,
        outcome.provider_message_id,
    )


async def test_a_refusal_keeps_the_providers_words() -> None:
    """Code and message of a `Rejected` stand in the outcome."""

    async def refuse(message: Message) -> Rejected:
        return Rejected("unknown_number", "Nobody has this number.")

    outcome = await dispatched(await build_house(), ScriptedProvider(refuse))

    assert (OutcomeStatus.REJECTED, "unknown_number", "Nobody has this number.") == (
        outcome.status,
        outcome.error_code,
        outcome.error_message,
    )


async def test_an_exception_tells_its_kind_alone() -> None:
    """Its text may hold the code, and goes nowhere (C-31)."""
    outcome = await dispatched(await build_house(), BlabbingProvider())

    said = "The provider's adapter failed (RuntimeError); nobody knows what it sent."

    assert (OutcomeStatus.UNKNOWN, "provider_unknown", said) == (
        outcome.status,
        outcome.error_code,
        outcome.error_message,
    )


async def test_a_failing_provider_leaves_no_code_in_the_refusal() -> None:
    """Neither the refusal nor its cause contains the code."""
    house = await build_house(BlabbingProvider())
    with pytest.raises(DispatchFailedError) as refusal:
        await house.issue()
    code = house.code()
    told = [str(refusal.value), repr(refusal.value.details), repr(refusal.value.__context__)]

    assert [False] * 3 == [code in each for each in told]


async def test_silence_is_an_unknown_outcome() -> None:
    """After the provider time-out the message may have been sent (C-40)."""
    outcome = await dispatched(await build_house(), HesitantProvider(), within=0.01)

    assert (OutcomeStatus.UNKNOWN, "provider_timeout") == (outcome.status, outcome.error_code)


async def test_a_node_without_the_provider_rejects() -> None:
    """A channel account may name a provider that this node was not given."""
    outcome = await dispatched(await build_house(), ScriptedProvider(), name="another")

    assert (OutcomeStatus.REJECTED, "provider_not_available") == (
        outcome.status,
        outcome.error_code,
    )


async def test_a_provider_that_stopped_answering_is_not_asked_for_ever() -> None:
    """With 64 sends under way and 512 waiting on a channel account, the next is rejected at once (R39)."""
    house, provider = await build_house(), HesitantProvider(asked_by=CONCURRENCY)
    calls = calls_of(house, {"scripted": provider})
    dispatching = Dispatching(calls)
    entry = await entry_of(house)

    async def send() -> ChannelOutcome:
        (outcome,) = await dispatching.dispatch("pin_1", 1, "+919812345611", [entry], "1234", {})
        return outcome

    waiting = [asyncio.create_task(send()) for _ in range(MAX_IN_FLIGHT)]
    await provider.asked.wait()
    await asyncio.sleep(0)
    assert MOST_WAITING == calls.load.waiting
    refused = await send()
    provider.may_answer.set()
    answered = await asyncio.gather(*waiting)

    assert (OutcomeStatus.REJECTED, "channel_busy") == (refused.status, refused.error_code)
    assert {OutcomeStatus.ACCEPTED} == {each.status for each in answered}
    assert OutcomeStatus.ACCEPTED == (await send()).status


async def test_one_accounts_sends_leave_places_for_the_codes_of_others() -> None:
    """It waits for its own that hang, and no other account waits for them (C-94, D-134)."""
    house, provider = await build_house(), HesitantProvider(asked_by=6)
    service = house.service
    other = await service.accounts.create(house.by, "neighbour")
    of_other = await service.channel_accounts.create(
        Caller(other.id, "key_other", "req_other"),
        channel_type=Channel.SMS,
        provider="scripted",
        name="sms",
        config={},
    )
    calls = calls_of(house, {"scripted": provider}, places=8)
    dispatching = Dispatching(calls)
    entry = await entry_of(house)

    async def send(entry: TemplateChannel) -> ChannelOutcome:
        (outcome,) = await dispatching.dispatch("pin_1", 1, "+919812345611", [entry], "1234", {})
        return outcome

    hanging = [asyncio.create_task(send(entry)) for _ in range(8)]
    await provider.asked.wait()
    assert 6 == len(provider.messages)
    provider.script = answered_at_once
    outcome = await send(evolve(entry, channel_account_id=of_other.id))
    provider.may_answer.set()
    outcomes = await asyncio.gather(*hanging)

    assert OutcomeStatus.ACCEPTED == outcome.status
    assert {OutcomeStatus.ACCEPTED} == {each.status for each in outcomes}


async def answered_at_once(message: Message) -> Accepted:
    """Accept a message."""
    return Accepted(f"taken-{message.reference}")


async def test_a_code_need_not_be_delivered_after_its_end() -> None:
    """A provider gets the code's time to live, so that networks drop a code that came too late."""
    house = await build_house()
    await house.issue()

    assert [600] == [each.ttl_seconds for each in house.provider.messages]
