"""Every call of both clients, against a service behind a real listener."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta

import pytest

from tests.entrypoints.caller import DESTINATION, Caller
from tests.entrypoints.client.conftest import Opening, base_url
from watchword.client import (
    AsyncClient,
    CallerContext,
    ChannelNotConfiguredError,
    Fallback,
    FallbackSms,
    ForbiddenError,
    IdempotencyKeyReuseError,
    LongUrl,
    Message,
    PinAlreadyVerifiedError,
    PinBlockedError,
    PinExpiredError,
    PinIncorrectError,
    PinNotFoundError,
    RcsCard,
    RcsContentMessage,
    RcsMessage,
    RcsSuggestion,
    RcsTemplateData,
    RcsTemplateMessage,
    ResendCooldownError,
    SmsMessage,
    TemplateNotFoundError,
    UnauthorizedError,
    UnknownMessage,
    Upload,
    UrlShortener,
    ValidationFailedError,
    WaBodyComponent,
    WaLanguage,
    WatchwordError,
    WaTemplate,
    WaTemplateMessage,
    WaText,
    WaTextMessage,
    WhatsappComponent,
)
from watchword.entrypoints.client.data.wa_messages import WaSessionText
from watchword.entrypoints.demo.seeding import TEMPLATE_ID

RECIPIENT = "+4915112345610"
SMS = SmsMessage(sender="TEAHSE", recipient=RECIPIENT, type="SI", message_body="Tea is ready.")
FILLED = [WaBodyComponent(parameters=[WaText(text="Asha"), WaText(text="4711")])]
WA = WaTemplateMessage(
    sender="+15550100",
    recipient=[RECIPIENT],
    template=WaTemplate(name="demo", language=WaLanguage(code="en"), components=FILLED),
)
PICTURE = b"\x89PNG\r\n\x1a\n tea"


async def test_a_pin_is_issued_resent_and_verified(client: AsyncClient, caller: Caller) -> None:
    """The life of a PIN, with all that a create takes."""
    pin = await client.pins.issue(
        TEMPLATE_ID,
        DESTINATION,
        channels=["sms", "email"],
        reference_id="order-1",
        context=CallerContext(ip="192.0.2.1", user_agent="tea"),
        locale="en-GB",
    )
    standing = await client.pins.get(pin.pin_id)

    assert ("PENDING", 5) == (pin.status, pin.attempts_remaining)
    assert ["accepted", "rejected"] == [each.status for each in pin.channels]
    assert pin.channels[0].provider_message_id is not None
    assert "invalid_destination" == pin.channels[1].error_code
    assert ("PENDING", "order-1") == (standing.status, standing.reference_id)
    assert pin.expires_at == standing.expires_at
    assert standing.expires_at.utcoffset() == timedelta(0)

    await caller.advance(31)
    again = await client.pins.resend(pin.pin_id, channels=["sms"])
    verified = await client.pins.verify(pin.pin_id, await caller.code())

    assert (pin.pin_id, ["sms"]) == (again.pin_id, [each.channel for each in again.channels])
    assert ("VERIFIED", pin.pin_id) == (verified.status, verified.pin_id)
    assert "VERIFIED" == (await client.pins.get(pin.pin_id)).status


async def test_refusals_of_pins_have_classes(client: AsyncClient, caller: Caller) -> None:
    """Each refusal is caught by its name, with what its details say."""
    pin = await client.pins.issue(TEMPLATE_ID, DESTINATION)
    with pytest.raises(PinIncorrectError) as incorrect:
        await client.pins.verify(pin.pin_id, await caller.wrong_code())
    with pytest.raises(ResendCooldownError) as cooldown:
        await client.pins.resend(pin.pin_id)
    await client.pins.verify(pin.pin_id, await caller.code())
    with pytest.raises(PinAlreadyVerifiedError):
        await client.pins.verify(pin.pin_id, "000000")
    with pytest.raises(PinNotFoundError) as unknown:
        await client.pins.get("pin_nobody")
    with pytest.raises(TemplateNotFoundError):
        await client.pins.issue("tpl_nobody", DESTINATION)
    with pytest.raises(ValidationFailedError) as invalid:
        await client.pins.issue(TEMPLATE_ID, "")

    assert (422, 4) == (incorrect.value.status, incorrect.value.attempts_remaining)
    assert cooldown.value.retry_after is not None
    assert 0 < cooldown.value.retry_after <= 30
    assert (404, "pin_not_found") == (unknown.value.status, unknown.value.code)
    assert unknown.value.request_id
    assert ["destination"] == [each.field for each in invalid.value.fields]


async def test_dead_pins_have_classes(client: AsyncClient, caller: Caller) -> None:
    """Blocked, expired, superseded, and a channel that the template lacks."""
    template = await caller.with_template({"channelType": "sms"}, pinAttempts=1)
    pin = await client.pins.issue(template.template, DESTINATION)
    for remaining in (0, None):
        with pytest.raises((PinIncorrectError, PinBlockedError)) as refused:
            await client.pins.verify(pin.pin_id, await caller.wrong_code())
        await caller.advance(4)
        assert isinstance(
            refused.value, PinBlockedError if remaining is None else PinIncorrectError
        )
    first = await client.pins.issue(TEMPLATE_ID, DESTINATION)
    second = await client.pins.issue(TEMPLATE_ID, DESTINATION)
    with pytest.raises(PinExpiredError) as superseded:
        await client.pins.verify(first.pin_id, "000000")
    await caller.advance(601)
    with pytest.raises(PinExpiredError) as expired:
        await client.pins.verify(second.pin_id, "000000")
    with pytest.raises(ChannelNotConfiguredError) as unknown:
        await client.pins.issue(template.template, DESTINATION, channels=["email"])

    assert ("superseded", "expired") == (superseded.value.reason, expired.value.reason)
    assert "email" == unknown.value.details["channel"]


async def test_an_own_idempotency_key_returns_the_first_pin(client: AsyncClient) -> None:
    """The same call is not made twice, and another under its key is refused (C-10)."""
    first = await client.pins.issue(TEMPLATE_ID, DESTINATION, idempotency_key="order-1")
    second = await client.pins.issue(TEMPLATE_ID, DESTINATION, idempotency_key="order-1")
    third = await client.pins.issue(TEMPLATE_ID, DESTINATION)
    with pytest.raises(IdempotencyKeyReuseError):
        await client.pins.issue(TEMPLATE_ID, "+15550100", idempotency_key="order-1")

    assert first == second
    assert third.pin_id != first.pin_id


async def test_pin_templates_are_listed(client: AsyncClient) -> None:
    """A page, by the filters of D4."""
    page = await client.pin_templates.list(
        search="demo",
        status="enabled",
        include_archived=True,
        sort_by="name",
        sort_direction="asc",
        page=1,
        page_size=5,
    )
    (demo,) = page.templates

    assert (1, 5, 1, 1) == (page.page, page.page_size, page.total, page.total_pages)
    assert (TEMPLATE_ID, "numeric", 6) == (demo.id, demo.pin_type, demo.pin_length)
    assert {"sms", "whatsapp", "email"} == {each.channel_type for each in demo.channels}
    assert () == (await client.pin_templates.list(status="disabled")).templates


async def test_messages_are_sent_and_followed(client: AsyncClient, caller: Caller) -> None:
    """A send with a fallback and a short link, its status, its history and the delivery report."""
    sent = await client.messages.send(
        sms=[
            SmsMessage(
                sender="TEAHSE",
                recipient="15112345610",
                type="SI",
                message_body="Tea: https://tea.example/menu",
                cust_ref1="order-1",
                ttl=600,
            )
        ],
        prefix="+49",
        campaign_name="spring",
        url_shortener=UrlShortener(url_details=[LongUrl(long_url="https://tea.example/menu")]),
    )
    (entry,) = sent.messages
    found = await client.messages.status([entry.message_id, "msg_nobody"])
    history = await client.messages.history(
        recipient=RECIPIENT,
        channel="sms",
        since=datetime.now(UTC) - timedelta(days=1),
        until=datetime.now(UTC) + timedelta(days=1),
        page_no=0,
        limit=10,
    )
    report = await client.messages.list(
        recipient=RECIPIENT,
        reference="order-1",
        status="accepted",
        direction="outbound",
        channel_type="sms",
        resource_type="api",
        since=datetime.now(UTC) - timedelta(days=1),
        until=datetime.now(UTC) + timedelta(days=1),
        page=1,
        page_size=10,
    )
    (outgoing,) = await caller.outbox()

    assert ("accepted", "sms", RECIPIENT) == (entry.status, entry.channel, entry.recipient)
    assert {"custRef1": "order-1"} == entry.cust_refs
    assert "https://tea.example" not in outgoing["text"]
    message, unknown = found
    assert isinstance(message, Message)
    assert isinstance(unknown, UnknownMessage)
    assert (entry.message_id, "accepted") == (message.message_id, message.events[-1].status)
    assert (message,) == history.messages
    assert (0, 10) == (history.page_details.page_no, history.page_details.limit)
    assert [entry.message_id] == [each.message_id for each in report.messages]
    assert ("spring", 1, True) == (
        report.messages[0].campaign_name,
        report.total,
        report.total_is_exact,
    )
    assert () == (await client.messages.list(status="failed")).messages


async def test_a_fallback_fires(client: AsyncClient, caller: Caller) -> None:
    """WhatsApp first, an SMS once it was not delivered in time."""
    sent = await client.messages.send(
        wa=[WA],
        fallback=Fallback(
            fallback_id="demo",
            waittime=60,
            sms=FallbackSms(sender="TEAHSE", type="SI", message_body="Tea is ready."),
        ),
    )
    await caller.advance(61)
    (message,) = await client.messages.status([sent.messages[0].message_id])

    assert sent.fallback is not None
    assert ("demo", "60") == (sent.fallback.fallback_id, sent.fallback.waittime)
    assert sent.messages[0].fallback_run_id is not None
    assert ["whatsapp", "sms"] == [each["channel"] for each in await caller.outbox()]
    assert isinstance(message, Message)
    assert message.fallback is not None
    assert ("fired", ["sms"]) == (
        message.fallback.status,
        [each.channel for each in message.fallback.steps if each.message_id],
    )


async def test_rcs_and_session_messages(client: AsyncClient, caller: Caller) -> None:
    """An RCS template, and a text that no session allows."""
    params = {"name": "Asha", "order": "4711"}
    template = RcsTemplateMessage(template_code="demo", custom_params=params)
    rcs = RcsMessage(
        sender="Watchword",
        recipient=RECIPIENT,
        content_message=RcsContentMessage(template_message=template),
        cust_ref2="order-2",
    )
    text = WaTextMessage(sender="+15550100", recipient=[RECIPIENT], text=WaSessionText(body="Tea?"))
    sent = await client.messages.send(rcs=[rcs])
    refused = await client.messages.send(wa=[text])

    assert ("accepted", {"custref2": "order-2"}) == (
        sent.messages[0].status,
        sent.messages[0].cust_refs,
    )
    assert ("rejected", "session_expired") == (
        refused.messages[0].status,
        refused.messages[0].error_code,
    )


async def test_faults_of_a_send_have_their_paths(client: AsyncClient) -> None:
    """The messaging form has its problems at the same place as the other form (C-18)."""
    wrong = SmsMessage(sender="", recipient=RECIPIENT, type="SI", message_body="")
    with pytest.raises(ValidationFailedError) as invalid:
        await client.messages.send(sms=[wrong])

    assert {"sms[0].sender", "sms[0].messageBody"} == {each.field for each in invalid.value.fields}
    assert invalid.value.request_id


async def test_opt_lists(client: AsyncClient) -> None:
    """Numbers go on a list and off it, and the last list wins."""
    added = await client.opt_lists.add("in", [RECIPIENT, "+15550100"])
    moved = await client.opt_lists.add("out", [RECIPIENT])
    ins = await client.opt_lists.list("in")
    outs = await client.opt_lists.list("out", page_no=0, limit=5)
    off = await client.opt_lists.remove("in", ["+15550100", "+15550101"])
    last = await client.opt_lists.remove("out", [RECIPIENT])

    assert ((2, 0), (1, 0)) == ((added.added, added.unchanged), (moved.added, moved.unchanged))
    assert ["+15550100"] == [each.recipient for each in ins.recipients]
    assert [RECIPIENT] == [each.recipient for each in outs.recipients]
    assert 5 == outs.page_details.limit
    assert ((1, 1), (1, 0)) == ((off.removed, off.unchanged), (last.removed, last.unchanged))


async def test_rcs_templates(client: AsyncClient) -> None:
    """One is created with its file, and fetched."""
    reply = RcsSuggestion(suggestion_type="reply", display_text="Yes", postback="yes")
    card = RcsCard(card_title="Oolong", card_description="Rolled by hand.", file_name="tea.png")
    data = RcsTemplateData(
        name="tea",
        type="rich_card",
        orientation="VERTICAL",
        height="TALL_HEIGHT",
        stand_alone=card,
        suggestions=[reply],
    )
    created = await client.rcs_templates.create(
        data,
        sender_profile_name="TeaHouse",
        update_by="asha",
        message_type="Promotional",
        multimedia_files=[Upload("tea.png", PICTURE, "image/png")],
    )
    page = await client.rcs_templates.fetch(
        sender_profile="TeaHouse",
        message_type="Promotional",
        status="Pending",
        template_name="tea",
        created_date="2020-01-01T00:00:00",
    )

    assert ("tea", "Pending", "Rich Card") == (created.name, created.status, created.category)
    assert (created,) == page.templates
    assert [reply] == created.suggestions
    assert created.stand_alone is not None
    assert "Oolong" == created.stand_alone.card_title
    with pytest.raises(ValidationFailedError) as invalid:
        await client.rcs_templates.create(
            RcsTemplateData(name="no tea", type="text_message"),
            sender_profile_name="TeaHouse",
            update_by="asha",
            message_type="Promotional",
        )
    assert {"data.name", "data.textMessageContent"} <= {each.field for each in invalid.value.fields}


async def test_whatsapp_templates(client: AsyncClient) -> None:
    """One is created and fetched."""
    created = await client.whatsapp_templates.create(
        name="tea_ready",
        language="en",
        category="UTILITY",
        components=[WhatsappComponent(type="BODY", text="Your tea is on its way.")],
    )
    page = await client.whatsapp_templates.fetch(
        template_name="tea_ready", status="Pending", category="UTILITY"
    )

    assert ("Pending", "UTILITY") == (created.status, created.category)
    assert [created.id] == [each.id for each in page.templates]
    assert "Your tea is on its way." == page.templates[0].components[0].text


async def test_media(client: AsyncClient, caller: Caller) -> None:
    """Files from memory and from an open file, and one from an address that the service does not trust."""
    hosted = await client.media.upload(
        Upload("tea.png", PICTURE, "image/png"),
        sender_profile_name="TeaHouse",
        message_type="promotional",
    )
    uploaded = await client.media.upload_for_whatsapp(Upload("tea.png", io.BytesIO(PICTURE)))
    served = await caller.get(hosted.service_media_url.removeprefix(base_url(caller)))
    with pytest.raises(ValidationFailedError) as private:
        await client.media.upload_from_url(
            "http://127.0.0.1/tea.png", sender_profile_name="TeaHouse", message_type="promotional"
        )

    assert ("success", 200, PICTURE) == (hosted.status, hosted.http_status, served.body)
    assert uploaded.id
    assert 400 == private.value.status


async def test_a_key_that_is_not_valid(opening: Opening, caller: Caller) -> None:
    """It is one error everywhere, also where it is answered with HTTP 200 (C-8)."""
    async with opening(base_url(caller), "no-key") as stranger:
        with pytest.raises(UnauthorizedError):
            await stranger.pins.get("pin_1")
        with pytest.raises(UnauthorizedError):
            await stranger.messages.send(sms=[SMS])
        with pytest.raises(UnauthorizedError) as refused:
            await stranger.media.upload_for_whatsapp(Upload("tea.png", PICTURE))

    assert "AUTHENTICATION FAILURE" == refused.value.message


async def test_a_key_without_the_scope(opening: Opening, caller: Caller) -> None:
    """It may send messages, and no codes."""
    made = await caller.operated("POST", "/api-keys", {"name": "m", "scopes": ["messaging"]})
    async with opening(base_url(caller), made["key"]) as bound:
        assert "accepted" == (await bound.messages.send(sms=[SMS])).messages[0].status
        with pytest.raises(ForbiddenError):
            await bound.pins.issue(TEMPLATE_ID, DESTINATION)


async def test_an_error_is_caught_by_the_base(client: AsyncClient) -> None:
    """One class catches all that a call raises."""
    with pytest.raises(WatchwordError):
        await client.pins.get("pin_nobody")
