"""The contents of callbacks about PINs, messages and fallbacks, and what they omit (C-53, C-32, C-23)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve

from tests.application.callbacks.conftest import Notified
from tests.application.house import code_in
from tests.application.post_office import (
    CODE,
    RECIPIENT,
    WAIT,
    fallback,
    falls_back,
    message,
    send,
    step,
)
from tests.application.receipts import DELIVERED, FAILED, READ, SENT, report, take_receipts
from tests.rcs_templates import TEXT
from tests.whatsapp_templates import OTP, code
from watchword.application.journal import beginning
from watchword.application.paging import Paging
from watchword.application.ports.channels import InboundMessage, Rejected
from watchword.application.ports.event_store import Recorded
from watchword.domain import whatsapp_template
from watchword.domain.approval import ApprovalStatus
from watchword.domain.callback_endpoint import CallbackType
from watchword.domain.decider import Decision
from watchword.domain.event import Event
from watchword.domain.guard import Rule, country_subject, prefix_subject
from watchword.domain.message import MessageStatus, SmsContent
from watchword.domain.pin import PinExpiredError, PinIncorrectError
from watchword.domain.rate_limit import Rate
from watchword.domain.rcs_template import TemplateDefinition
from watchword.domain.short_link import ShortLinkCreated, click, short_link_decider
from watchword.entrypoints.wire.codec import wire_time
from watchword.entrypoints.worker import run_due


async def callbacks_of(notified: Notified) -> list[tuple[str, dict[str, Any]]]:
    """Return type and data of all callbacks, in the order of the log."""
    await notified.work()
    by_event = {}
    for each in await notified.deliveries():
        (posted,) = [p for p in notified.house.web.posted if p.headers["webhook-id"] == each.id]
        body = json.loads(posted.body)
        by_event[each.event_id] = (body["type"], body["data"])
    log = await notified.house.store.read_log(0, 1000)
    return [by_event[each.event_id] for each in log if each.event_id in by_event]


async def test_the_life_of_a_pin(notified: Notified) -> None:
    """A callback has its ids, attempts left and channel outcomes, but neither destination nor code."""
    pin = (await notified.house.issue()).pin_id
    with pytest.raises(PinIncorrectError):
        await notified.house.service.verifying.verify(notified.house.by, pin, "wrong")
    await notified.house.service.verifying.verify(notified.house.by, pin, notified.house.code())
    callbacks = await callbacks_of(notified)
    ids = {"pinId": pin, "templateId": notified.house.template_id}

    assert ["pin.issued", "pin.dispatched", "pin.verify_failed", "pin.verified"] == [
        each for each, _ in callbacks
    ]
    assert all(ids.items() <= data.items() for _, data in callbacks)
    issued, dispatched, failed, verified = (data for _, data in callbacks)
    assert (1, 3, ["sms"]) == (issued["issue"], issued["attemptsRemaining"], issued["channels"])
    accepted = {"channel": "sms", "status": "accepted", "providerMessageId": "scripted-1"}
    assert [accepted] == dispatched["channels"]
    assert {**ids, "attemptsRemaining": 2} == failed
    assert ids == verified
    posted = b"".join(each.body for each in notified.house.web.posted)
    assert code_in(notified.house.provider.messages[0].text).encode() not in posted
    assert b"98123" not in posted


async def test_a_code_is_delivered_once(notified: Notified) -> None:
    """Whether the provider says DELIVERED, READ or both, again and again (C-90)."""
    pin = (await notified.house.issue()).pin_id
    (sent,) = notified.house.provider.messages
    for status in (SENT, DELIVERED, DELIVERED, READ):
        await take_receipts(notified.house, sent, report(status, "scripted-1"))
    of_pin = {"pinId": pin, "templateId": notified.house.template_id}

    assert [("pin.delivered", {**of_pin, "issue": 1, "channel": "sms"})] == [
        each for each in await callbacks_of(notified) if each[0] == "pin.delivered"
    ]


async def test_a_code_that_did_not_arrive_is_not_delivered(notified: Notified) -> None:
    """A failure is the message's, and stands as the receipt of its channel."""
    await notified.house.issue()
    await take_receipts(
        notified.house, notified.house.provider.messages[0], report(FAILED, "scripted-1")
    )

    assert ["pin.issued", "pin.dispatched"] == [each for each, _ in await callbacks_of(notified)]


async def test_a_pin_that_expires(notified: Notified) -> None:
    """When that is recorded: by the first call that meets it (C-15, C-90)."""
    pin = (await notified.house.issue()).pin_id
    notified.house.clock.move(3600)
    with pytest.raises(PinExpiredError):
        await notified.house.service.verifying.verify(notified.house.by, pin, "late")
    of_pin = {"pinId": pin, "templateId": notified.house.template_id}

    assert ("pin.expired", {**of_pin, "issue": 1}) == (await callbacks_of(notified))[-1]


async def test_a_pin_that_another_supersedes(notified: Notified) -> None:
    """It names the PIN that is live instead (C-90)."""
    first = (await notified.house.issue()).pin_id
    second = (await notified.house.issue()).pin_id
    of_pin = {"pinId": first, "templateId": notified.house.template_id}

    assert ("pin.superseded", {**of_pin, "supersededBy": second}) in await callbacks_of(notified)


async def test_a_message_is_notified_where_it_moves(notified: Notified) -> None:
    """Each step of the ladder once; repeated and lower receipts are not notified (C-22)."""
    await send(notified.house)
    sent = notified.house.provider.messages[-1]
    for status in (SENT, SENT, READ, DELIVERED, FAILED, READ):
        await take_receipts(notified.house, sent, report(status, "scripted-1"))
    callbacks = await callbacks_of(notified)

    assert ["message.accepted", "message.sent", "message.read"] == [each for each, _ in callbacks]
    assert {
        "messageId": sent.reference,
        "channel": "sms",
        "recipient": "+4477******23",
        "status": "accepted",
        "custRefs": {"custRef1": "pot-7"},
    } == callbacks[0][1]


async def test_a_rejection_is_notified_with_its_code(notified: Notified) -> None:
    """Only the plain code is sent: a provider's words may quote the message (D-52)."""

    async def refuse(_: object) -> Rejected:
        return Rejected("no_such_number", "Your code is CANARY4711X.")

    notified.house.provider.script = refuse
    await send(notified.house, message(CODE))
    callbacks = await callbacks_of(notified)

    assert [("message.rejected", "no_such_number")] == [
        (each, data["errorCode"]) for each, data in callbacks
    ]
    assert b"CANARY" not in b"".join(each.body for each in notified.house.web.posted)


async def test_what_people_write_is_notified_in_full(notified: Notified) -> None:
    """Sender, recipient and text are in clear: the account could not answer otherwise (D-69)."""
    account = (await notified.house.service.channel_accounts.list(None, Paging())).data[0]
    inbound = InboundMessage(sender=RECIPIENT, recipient="+15550100", text="Two pots, please.")
    message_id = await notified.house.service.receiving_messages.receive(account.id, inbound)
    callbacks = await callbacks_of(notified)

    said = {"from": RECIPIENT, "to": "+15550100", "text": "Two pots, please."}
    channel = {"channel": account.channel_type, "messageId": message_id}
    assert [("message.inbound", {**said, **channel})] == callbacks


async def test_a_fallback_that_fires(notified: Notified) -> None:
    """The silent message ends, the run fires, and the step's message has callbacks like any other."""
    await falls_back(notified.house)
    (sent,) = await send(notified.house, fallback=fallback(step(CODE)))
    notified.house.clock.move(WAIT)
    await run_due(notified.house.service.due_work)
    await notified.house.service.provider_tasks.finish()
    callbacks = dict(await callbacks_of(notified))

    assert {"message.accepted", "message.expired", "fallback.fired"} == callbacks.keys()
    fired = callbacks["fallback.fired"]
    assert (sent.run_id, sent.message_id, "tea-first", 1, "sms", {"custRef1": "pot-7"}) == (
        fired["runId"],
        fired["messageId"],
        fired["fallback_id"],
        fired["step"],
        fired["channel"],
        fired["custRefs"],
    )
    # The last accepted message is the step's.
    assert fired["sentMessageId"] == callbacks["message.accepted"]["messageId"]
    assert b"CANARY" not in b"".join(each.body for each in notified.house.web.posted)


async def test_a_fallback_that_stands_down_or_is_rejected(notified: Notified) -> None:
    """
    A delivery stands it down; a step of no valid type is rejected when its turn comes (C-21).

    Both carry the step's references, as the one that fires does (C-53).
    """
    await falls_back(notified.house)
    await send(notified.house, fallback=fallback())
    await take_receipts(
        notified.house, notified.house.provider.messages[-1], report(DELIVERED, "scripted-1")
    )
    odd = step(evolve(SmsContent(type="SI", text="Tea."), type="TXN"))
    await send(notified.house, fallback=fallback(odd))
    notified.house.clock.move(WAIT)
    await run_due(notified.house.service.due_work)
    callbacks = dict(await callbacks_of(notified))

    assert "delivered" == callbacks["fallback.stood_down"]["reason"]
    assert "invalid_type" == callbacks["fallback.rejected"]["errorCode"]
    for ended in ("fallback.stood_down", "fallback.rejected"):
        assert {"custRef1": "pot-7"} == callbacks[ended]["custRefs"]


async def test_a_review_of_a_template_is_notified(notified: Notified) -> None:
    """The callback has template, status and reason; a create and a submission have none (C-53)."""
    creating, reviewing = (
        notified.house.service.creating_rcs_templates,
        notified.house.service.reviewing_rcs_templates,
    )
    template = await creating.create(
        notified.house.by,
        sender_profile="TeaHouse",
        message_type="Promotional",
        update_by="till-1",
        definition=TemplateDefinition(name="teas", content=TEXT),
    )
    await reviewing.approve(notified.house.by, template.id)
    await reviewing.approve(notified.house.by, template.id)
    await reviewing.reject(notified.house.by, template.id, "Shouts.")
    about = {
        "templateId": template.id,
        "channel": "rcs",
        "name": "teas",
        "senderProfile": "TeaHouse",
        "messageType": "Promotional",
    }

    assert [
        ("template.approved", {**about, "status": "Approved"}),
        ("template.rejected", {**about, "status": "Rejected", "reason": "Shouts."}),
    ] == await callbacks_of(notified)


async def test_a_review_of_a_whatsapp_template_is_notified(notified: Notified) -> None:
    """The callback has language and category, which distinguish such templates (C-53)."""
    creating, reviewing = (
        notified.house.service.creating_whatsapp_templates,
        notified.house.service.reviewing_whatsapp_templates,
    )
    template = await creating.create(
        notified.house.by,
        whatsapp_template.TemplateDefinition(
            name="code", language="pt_BR", content=code(whatsapp_template.CodeBody(), OTP)
        ),
    )
    await reviewing.reject(notified.house.by, template.id, "Shouts.")
    await reviewing.approve(notified.house.by, template.id)
    about = {
        "templateId": template.id,
        "channel": "whatsapp",
        "name": "code",
        "language": "pt_BR",
        "category": "AUTHENTICATION",
    }

    assert [
        ("template.rejected", {**about, "status": "Rejected", "reason": "Shouts."}),
        ("template.approved", {**about, "status": "Approved"}),
    ] == await callbacks_of(notified)


async def test_a_click_is_notified(notified: Notified) -> None:
    """The callback names link and message; an address with a code is left out (C-23)."""
    at, account_id = notified.house.clock.now(), notified.house.by.account_id
    plain, hidden = (
        ShortLinkCreated(
            at=at, account_id=account_id, message_id=message_id, url=url, sealed=sealed
        )
        for message_id, url, sealed in (("msg_1", "https://tea.example/", None), (None, None, "x"))
    )
    for number, created in enumerate((plain, hidden)):
        link = short_link_decider.fold([created])
        events = (created, *click(link, at).events)
        made = beginning(short_link_decider, f"lnk_{number}", Decision(events))
        await notified.house.service.journal.write(notified.house.by, at, made)
    callbacks = await callbacks_of(notified)
    tea = {"linkId": "lnk_0", "messageId": "msg_1", "url": "https://tea.example/", "clicks": 1}

    assert [("message.clicked", tea), ("message.clicked", {"linkId": "lnk_1", "clicks": 1})] == (
        callbacks
    )


async def test_clicks_are_notified_without_reading_all_before_them(
    notified: Notified, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strangers make thousands on one link; each is notified with its number and its account's link."""
    at, account_id = notified.house.clock.now(), notified.house.by.account_id
    created = ShortLinkCreated(at=at, account_id=account_id, url="https://tea.example/")
    events: tuple[Event, ...] = (created,)
    for _ in range(3):
        events += click(short_link_decider.fold(events), at).events
    made = beginning(short_link_decider, "lnk_0", Decision(events))
    await notified.house.service.journal.write(notified.house.by, at, made)
    read: list[str] = []
    read_stream = notified.house.store.read_stream

    async def reading(stream: str) -> Sequence[Recorded]:
        read.append(stream)
        return await read_stream(stream)

    monkeypatch.setattr(notified.house.store, "read_stream", reading)
    callbacks = await callbacks_of(notified)

    assert [1, 2, 3] == [data["clicks"] for _, data in callbacks]
    assert "lnk_0" not in read


def test_every_status_has_a_type() -> None:
    """Messages move to statuses that callbacks name, and reviews end in such; so none stops a follower."""
    statuses = {f"message.{each}" for each in set(MessageStatus) - {MessageStatus.RECEIVED}}
    reviews = {
        f"template.{each.lower()}" for each in set(ApprovalStatus) - {ApprovalStatus.PENDING}
    }

    assert statuses | reviews <= set(CallbackType)


async def test_a_minute_of_refusals_is_one_notification(notified: Notified) -> None:
    """It has the rule, the subject as lists show it, and a count; what is only flagged has its own type."""
    house, decisions = notified.house, notified.house.service.counted_decisions
    account_id, since = house.by.account_id, house.clock.now()
    prefix = prefix_subject("989123456789", "f00", "IR")
    for _ in range(20):
        decisions.refused(account_id, Rule.PREFIX, prefix, Rate("20/1h"))
    decisions.flagged(account_id, Rule.COUNTRIES, country_subject("IR"))
    house.clock.move(60)
    await house.service.recording_decisions.run_due()
    always = {"accountId": account_id, "since": wire_time(since), "until": wire_time(since)}

    assert [
        (
            "guard.refused",
            {**always, "rule": "unverified.prefix", "subject": "+98912345", "count": 20},
        ),
        ("guard.flagged", {**always, "rule": "countries", "subject": "IR", "count": 1}),
    ] == await callbacks_of(notified)
