"""Sends without HTTP (C-44, C-65)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import watchword
from tests.entrypoints.messaging.sends import FALLBACK, FALLBACK_SMS, RECIPIENT, SMS, WA
from tests.fakes.clocks import StillClock
from tests.fakes.hearing import HearingProvider
from tests.fakes.providers import ScriptedProvider
from tests.fakes.signing import (
    SECRET,
    SIGNATURE,
    SigningProvider,
    letter,
    receipt,
    signature,
)
from watchword.application.messages.sending_messages import SentFallback, SentMessage, SentMessages
from watchword.application.ports.channels import Accepted, Message, Rejected
from watchword.domain.accounts.api_key import UnauthorizedError
from watchword.domain.errors import DomainError, ValidationFailedError
from watchword.domain.message import ProviderContent
from watchword.domain.receipt import ReceiptStatus

MINUTE = timedelta(seconds=60)


async def set_up(service: watchword.Service, *channels: str) -> str:
    """Create an account with these channels on the provider `phone`; return its name."""
    await service.accounts.create("orchid")
    for channel in channels or ("sms", "whatsapp"):
        await service.channel_accounts.create(
            account="orchid", channel_type=channel, provider="phone", name=channel, config={}
        )
    await service.fallback_configurations.create("orchid", "demo", ["sms"])
    return "orchid"


def fields(refusal: DomainError) -> list[str]:
    """Return the fields that a refusal names."""
    named: Any = refusal.details["fields"]
    return [each["field"] for each in named]


async def test_a_provider_of_ones_own_reports_in(store_url: str) -> None:
    """Its posts arrive by any server of the embedder, with headers in any case (C-34)."""
    courier = SigningProvider()
    async with watchword.open(store_url, channels={"courier": courier}) as service:
        await service.accounts.create("orchid")
        channel_account = await service.channel_accounts.create(
            "orchid", "sms", "courier", "courier", config={"secret": SECRET}
        )
        sent = await service.messages.send("orchid", sms=[SMS])
        message_id = sent.messages[0].message_id
        body = letter(receipt(f"courier-{message_id}", ReceiptStatus.DELIVERED))
        headers = {SIGNATURE.title(): signature(body)}
        heard = await service.channel_accounts.hear(channel_account, headers, body)
        with pytest.raises(UnauthorizedError):
            await service.channel_accounts.hear(channel_account.id, {}, body)
        (entry,) = await service.messages.status("orchid", [message_id])

    assert "delivered" == entry.status
    assert (200, 1) == (heard.status, len(heard.reports))


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ({}, "https://tea.example/callbacks/{}"),
        ({"method": "GET", "url": "https://tea.example/in?t=1"}, "https://tea.example/in?t=1"),
    ],
)
async def test_a_provider_hears_the_address_that_was_called(
    given: dict[str, str], url: str
) -> None:
    """By default, the account's own under the public URL; signatures may cover it (C-70)."""
    courier = HearingProvider()
    async with watchword.open(
        "memory://", channels={"courier": courier}, public_url="https://tea.example"
    ) as service:
        await service.accounts.create("orchid")
        account = await service.channel_accounts.create(
            "orchid", "sms", "courier", "courier", config={"secret": SECRET}
        )
        headers = {SIGNATURE: signature(letter())}
        heard = await service.channel_accounts.hear(account, headers, letter(), **given)

    (post,) = courier.posts
    assert (given.get("method", "POST"), url.format(account.id)) == (post.method, post.url)
    assert {"POST": 200, "GET": 403}[post.method] == heard.status


async def test_a_send_with_a_fallback(store_url: str) -> None:
    """The arguments are dictionaries as on the wire; the result is an object in snake case."""
    phone, clock = ScriptedProvider(), StillClock()
    async with watchword.open(store_url, channels={"phone": phone}, clock=clock) as service:
        account = await set_up(service)
        sent = await service.messages.send(
            account=account,
            wa=[
                {
                    **{name: value for name, value in WA.items() if name != "template"},
                    "type": "text",
                    "text": {"body": "Tea?"},
                    "custref1": "order-1",
                }
            ],
            fallback={**FALLBACK, "sms": FALLBACK_SMS},
            campaign_name="spring",
        )
        (message,) = sent.messages
        history = [each.type for each in await service.events.get(message.message_id)]

    assert (
        SentMessages(
            messages=(
                SentMessage(
                    message_id=message.message_id,
                    channel="whatsapp",
                    recipient=RECIPIENT,
                    accepted=False,
                    error_code="session_expired",
                    error_message=message.error_message,
                    cust_refs={"custref1": "order-1"},
                    run_id=message.run_id,
                ),
            ),
            fallback=SentFallback(
                fallback_id="demo", waittime_seconds=60, deadline=clock.now() + MINUTE
            ),
        )
        == sent
    )
    assert message.run_id is not None
    assert "MessageSubmitted" == history[0]


async def test_a_prefix_and_an_sms(store_url: str) -> None:
    """An embedder's call accepts what the wire accepts."""
    phone = ScriptedProvider()
    async with watchword.open(store_url, channels={"phone": phone}) as service:
        account = await set_up(service)
        sent = await service.messages.send(
            account, [{**SMS, "recipient": "15112345610"}], prefix="49"
        )

    assert [("4915112345610", True)] == [(each.recipient, each.accepted) for each in sent.messages]
    assert [("4915112345610", "TEAHSE")] == [
        (each.destination, each.sender) for each in phone.messages
    ]


async def test_a_retry_gives_the_first_result(store_url: str) -> None:
    """With a key, the same call is one send; another call under it is reuse (C-10)."""
    phone = ScriptedProvider()
    async with watchword.open(store_url, channels={"phone": phone}) as service:
        account = await set_up(service)
        first = await service.messages.send(account, [SMS], idempotency_key="tea")
        again = await service.messages.send(account, (dict(SMS),), idempotency_key="tea")
        with pytest.raises(DomainError) as reuse:
            await service.messages.send(account, [SMS, SMS], idempotency_key="tea")

    assert first == again
    assert "idempotency_key_reuse" == reuse.value.code
    assert 1 == len(phone.messages)


async def test_a_rejected_entry_is_kept_for_a_retry(store_url: str) -> None:
    """With its error, its references and its run (C-10)."""

    async def refuse(message: Message) -> Rejected:
        return Rejected("no_credit", "There is no credit.")

    phone = ScriptedProvider(refuse)
    async with watchword.open(store_url, channels={"phone": phone}) as service:
        account = await set_up(service)
        body: dict[str, Any] = {
            "account": account,
            "sms": [{**SMS, "custRef1": {"CustomReference1": "a"}}],
            "fallback": {**FALLBACK, "sms": FALLBACK_SMS},
            "idempotency_key": "tea",
        }
        first = await service.messages.send(**body)
        again = await service.messages.send(**body)

    assert first == again
    assert ("no_credit", {"CustomReference1": "a"}) == (
        again.messages[0].error_code,
        again.messages[0].cust_refs,
    )


async def test_a_refusal_is_the_wires(store_url: str) -> None:
    """`DomainError` with the wire's code and paths (C-44)."""
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        account = await set_up(service)
        with pytest.raises(ValidationFailedError) as refusal:
            await service.messages.send(account, sms=[{**SMS, "type": "TXN"}], wa=[{}])
        with pytest.raises(DomainError) as unknown:
            await service.messages.send(account, wa=[WA])

    named = list(dict.fromkeys(fields(refusal.value)))
    assert ["body", "sms[0].type", "wa[0].messaging_product"] == named[:3]
    assert "template_not_found" == unknown.value.code


async def test_an_own_channel_gets_its_object(store_url: str) -> None:
    """
    An adapter that the embedder registered is a channel of its own in a fallback (C-52).

    Its object arrives unchanged, and is sealed until then, because only the adapter knows its meaning
    (D-34).
    """
    rung = asyncio.Event()

    async def ring(message: Message) -> Accepted | Rejected:
        if message.channel != "phone":
            return Rejected("no_such_number", "Nobody has this number.")
        rung.set()
        return Accepted("rung")

    phone = ScriptedProvider(ring)
    async with watchword.open(store_url, channels={"phone": phone}) as service:
        account = await set_up(service, "sms", "phone")
        await service.fallback_configurations.create(account, "ring", ["phone"])
        fallback = {**FALLBACK, "fallback_id": "ring", "phone": {"tone": ["c", 1.5, None]}}
        sent = await service.messages.send(account, [SMS], fallback=fallback)
        async with asyncio.timeout(10):
            await rung.wait()
        armed, *_ = await service.events.get(sent.messages[0].run_id or "")

    assert ProviderContent(payload={"tone": ["c", 1.5, None]}) == phone.messages[-1].content
    assert [None] == [each.content for each in getattr(armed.event, "steps", ())]


@pytest.mark.parametrize(
    "value",
    [{1, 2}, datetime(2031, 5, 4, tzinfo=UTC), float("nan"), object(), b"tea", "half \ud800", "\0"],
    ids=["set", "time", "nan", "object", "bytes", "surrogate", "nul"],
)
async def test_only_what_json_can_say_is_taken(value: Any) -> None:
    """Deep inside Meta's objects, too: no store could hold it (C-65)."""
    async with watchword.open("memory://", channels={"phone": ScriptedProvider()}) as service:
        account = await set_up(service)
        component = {"type": "body", "parameters": [value]}
        template = {"name": "t", "language": {"code": "en"}, "components": [component]}
        with pytest.raises(ValidationFailedError) as refusal:
            await service.messages.send(account, wa=[{**WA, "template": template}])

    assert ["body"] == fields(refusal.value)


async def test_a_body_that_holds_itself_is_refused() -> None:
    """It has no end."""
    endless: dict[str, Any] = dict(SMS)
    endless["custRef1"] = endless
    async with watchword.open("memory://", channels={"phone": ScriptedProvider()}) as service:
        account = await set_up(service)
        with pytest.raises(ValidationFailedError):
            await service.messages.send(account, [endless])


async def test_opt_lists_without_http(store_url: str) -> None:
    """Numbers come and go as over HTTP, and a send to an opted-out one is rejected (C-27, C-65)."""
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        account = await set_up(service)
        added = await service.opt_lists.add(account, "out", [RECIPIENT, "004915112345610"])
        (row,) = await service.opt_lists.list(account, "out")
        session = {**WA, "type": "text", "text": {"body": "How was it?"}}
        sent = await service.messages.send(account=account, wa=[session])
        removed = await service.opt_lists.remove(account, "out", [RECIPIENT, "+4915112345611"])
        with pytest.raises(ValidationFailedError) as wrong_list:
            await service.opt_lists.add(account, "off", [RECIPIENT])
        with pytest.raises(ValidationFailedError) as nobody:
            await service.opt_lists.add(account, "in", [])

    assert (1, 0, 1, 1) == (added.changed, added.unchanged, removed.changed, removed.unchanged)
    assert (RECIPIENT, "out") == (row.recipient, row.opt_list)
    assert "recipient_opted_out" == sent.messages[0].error_code
    assert (["optList"], ["recipients"]) == (fields(wrong_list.value), fields(nobody.value))


async def test_dlt_templates_without_http(store_url: str) -> None:
    """They are registered, matched by text if auto-match is on, and removed (C-30)."""
    phone = ScriptedProvider()
    sms = {**SMS, "recipient": "+919812345610", "messageBody": "Your tea Assam is ready."}
    async with watchword.open(store_url, channels={"phone": phone}) as service:
        account = await set_up(service)
        made = await service.dlt_templates.create(
            account, "t-1", "e-1", "Your tea {#var#} is ready."
        )
        await service.messages.send(account=account, sms=[sms], template_auto_match=True)
        with pytest.raises(ValidationFailedError) as by_hand:
            await service.messages.send(account=account, sms=[sms])
        listed = await service.dlt_templates.list(account)
        removed = await service.dlt_templates.remove(made)
        assert removed == await service.dlt_templates.get(made)
        with pytest.raises(ValidationFailedError):
            await service.messages.send(account=account, sms=[sms], template_auto_match=True)

    assert ["e-1"] == [each.entity_id for each in phone.messages]
    assert ["sms[0].templateId", "sms[0].entityId"] == fields(by_hand.value)
    assert [made] == list(listed.data)
    assert removed.removed_at is not None
