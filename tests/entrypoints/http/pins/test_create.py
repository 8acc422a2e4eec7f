"""D1, POST /v1/pins: create a PIN and send its code (SPEC sections 3 and 4, C-9, C-65)."""

from datetime import datetime, timedelta

from tests.entrypoints.caller import DESTINATION, Caller
from tests.entrypoints.conftest import EVERY_STORE
from watchword.entrypoints.wired import Wired

STORES = EVERY_STORE

REJECTING = "+919812340001"


async def test_a_pin_is_created_and_its_code_sent(caller: Caller, service: Wired) -> None:
    """A 201 carries the PIN record (SPEC 2.7), and the recipient has the code."""
    reply = await caller.create(referenceId="table-7")
    record = reply.json
    expires_at = datetime.fromisoformat(record.pop("expiresAt"))
    (message,) = await caller.outbox()

    assert 201 == reply.status
    assert "application/json" == reply.headers["Content-Type"]
    assert {
        "pinId": record["pinId"],
        "status": "PENDING",
        "attemptsRemaining": 5,
        "channels": [
            {
                "channel": "sms",
                "status": "accepted",
                "providerMessageId": message["providerMessageId"],
            }
        ],
    } == record
    assert record["pinId"].startswith("pin_")
    assert timedelta(0) < expires_at - service.clock.now() <= timedelta(minutes=10)
    assert DESTINATION == message["destination"]


async def test_the_code_is_never_returned(caller: Caller) -> None:
    """The code is on the recipient's phone, and nowhere in the answer."""
    reply = await caller.create()

    assert (await caller.code()).encode() not in reply.body


async def test_what_happened_is_on_record(caller: Caller) -> None:
    """A create writes PinIssued and PinDispatched, in the caller's name and under its request."""
    reply = await caller.create(referenceId="table-7", channels=["sms", "whatsapp"])
    issued, dispatched = await caller.events(reply.json["pinId"])

    assert ["PinIssued", "PinDispatched"] == [issued["type"], dispatched["type"]]
    assert [1, 2] == [issued["version"], dispatched["version"]]
    assert issued["actor"].startswith("key_")
    assert reply.headers["X-Request-Id"] == issued["requestId"] == dispatched["requestId"]
    assert {
        "accountId": issued["data"]["accountId"],
        "templateId": "tpl_demo",
        "personId": issued["data"]["personId"],
        "destination": DESTINATION,
        "referenceId": "table-7",
        "channels": ["sms", "whatsapp"],
        "issue": 1,
        "codeHash": "***",
        "expiresAt": reply.json["expiresAt"],
        "attempts": 5,
        "verifyLimit": "1/3s",
        "country": "IN",
        "test": False,
        "counted": ["unverified.country/1d", "unverified.prefix/1h"],
        "flags": [],
        "contextIp": None,
        "contextUserAgent": None,
        "receipt": None,
        "locale": None,
    } == issued["data"]
    assert ["accepted", "accepted"] == [each["status"] for each in dispatched["data"]["outcomes"]]


async def test_the_destination_goes_out_as_it_came_in(caller: Caller) -> None:
    """A destination is never reformatted (C-28)."""
    spelled = " +91 98123-45610 "
    await caller.created(spelled)

    assert [spelled] == [each["destination"] for each in await caller.outbox()]


async def test_a_destination_has_1_to_64_characters(caller: Caller) -> None:
    """The longest and the shortest destination are taken; the ones beyond are 400 (SPEC D1, C-89)."""
    assert 201 == (await caller.create("+1234567")).status
    assert 201 == (await caller.create("+1 234 567".ljust(64))).status
    assert ["destination"] == (await caller.create("")).wrong
    assert ["destination"] == (await caller.create("+1 234 567".ljust(65))).wrong


async def test_a_reference_has_1_to_200_characters(caller: Caller) -> None:
    """The longest and the shortest reference are taken; the ones beyond are 400 (SPEC D1)."""
    assert 201 == (await caller.create(referenceId="r")).status
    assert 201 == (await caller.create(referenceId="r" * 200)).status
    assert ["referenceId"] == (await caller.create(referenceId="")).wrong
    assert ["referenceId"] == (await caller.create(referenceId="r" * 201)).wrong


async def test_every_requested_channel_is_used(caller: Caller) -> None:
    """One send goes to all its channels, with one code, in the order asked for."""
    reply = await caller.create(channels=["whatsapp", "sms"])

    assert ["whatsapp", "sms"] == [each["channel"] for each in reply.json["channels"]]
    assert 1 == len(set(await caller.codes()))
    assert {"sms", "whatsapp"} == {each["channel"] for each in await caller.outbox()}


async def test_duplicate_channels_count_once(caller: Caller) -> None:
    """A channel named twice is one send on one channel (C-15)."""
    reply = await caller.create(channels=["sms", "sms"])

    assert ["sms"] == [each["channel"] for each in reply.json["channels"]]
    assert 1 == len(await caller.outbox())


async def test_the_default_channel_is_used_when_none_is_named(caller: Caller) -> None:
    """Left out, the channel is the one that the template marks (SPEC D1)."""
    tea = await caller.with_template(
        {"channelType": "sms"}, {"channelType": "whatsapp", "isDefault": True}
    )
    reply = await tea.create()

    assert ["whatsapp"] == [each["channel"] for each in reply.json["channels"]]


async def test_some_channels_may_reject(caller: Caller) -> None:
    """A 201 shows each channel's outcome, the rejected ones too: the user has a code (SPEC D1)."""
    tea = await caller.with_template({"channelType": "sms"}, await caller.rejecting_whatsapp())
    reply = await tea.create(channels=["whatsapp", "sms"])

    assert 201 == reply.status
    assert {
        "channel": "whatsapp",
        "status": "rejected",
        "errorCode": "sandbox_rejected",
        "errorMessage": "The sandbox rejects this destination.",
    } == reply.json["channels"][0]
    assert "accepted" == reply.json["channels"][1]["status"]
    assert 200 == (await tea.verify(reply.json["pinId"], await tea.code())).status


async def test_every_channel_rejecting_is_a_502(caller: Caller) -> None:
    """Without a channel left, dispatch_failed names each one's reason, and there is no code."""
    reply = await caller.create(REJECTING, channels=["sms", "whatsapp"])

    assert (502, "dispatch_failed") == reply.refusal
    assert [
        {
            "channel": name,
            "status": "rejected",
            "errorCode": "sandbox_rejected",
            "errorMessage": "The sandbox rejects this destination.",
        }
        for name in ("sms", "whatsapp")
    ] == reply.error["details"]["channels"]
    assert [] == await caller.outbox()


async def test_a_pin_that_no_channel_took_does_not_exist(caller: Caller) -> None:
    """None is created as successful (SPEC section 3): it is found in the history alone (C-13)."""
    await caller.create(REJECTING)
    (row,) = (await caller.operated("GET", "/verifications?status=DISPATCH_FAILED"))["data"]

    assert ["PinIssued", "PinDispatched"] == await caller.story(row["pinId"])
    assert (404, "pin_not_found") == (await caller.verify(row["pinId"], "123456")).refusal
    assert (404, "pin_not_found") == (await caller.resend(row["pinId"])).refusal


async def test_an_unknown_template_is_404(caller: Caller) -> None:
    """An unknown id is template_not_found (C-9)."""
    before = await caller.recorded()
    reply = await caller.under("tpl_unheard_of").create()

    assert (404, "template_not_found") == reply.refusal
    assert before == await caller.recorded()


async def test_nothing_is_sent_under_a_disabled_template(caller: Caller) -> None:
    """A disabled template is 409 template_disabled, and can be enabled again (C-9)."""
    tea = await caller.with_template()
    await tea.operated("POST", f"/pin-templates/{tea.template}/disable")

    assert (409, "template_disabled") == (await tea.create()).refusal

    await tea.operated("POST", f"/pin-templates/{tea.template}/enable")

    assert 201 == (await tea.create()).status


async def test_nothing_is_sent_under_an_archived_template(caller: Caller) -> None:
    """An archived template is 409 template_disabled, for good (C-9)."""
    tea = await caller.with_template()
    await tea.operated("POST", f"/pin-templates/{tea.template}/archive")

    assert (409, "template_disabled") == (await tea.create()).refusal
    assert (409, "template_disabled") == (
        await tea.operate("POST", f"/pin-templates/{tea.template}/enable")
    ).refusal


async def test_a_channel_without_an_account_is_422(caller: Caller) -> None:
    """channel_not_configured names the channel, and those that are configured (C-9)."""
    reply = await (await caller.with_template()).create(channels=["sms", "whatsapp"])

    assert (422, "channel_not_configured") == reply.refusal
    assert {"channel": "whatsapp", "configured": ["sms"]} == reply.error["details"]


async def test_a_create_checks_in_this_order(caller: Caller) -> None:
    """template_not_found, template_disabled, channel_not_configured, rates (C-65)."""
    tea = await caller.with_template(sendPinPerTemplateLimit="1/1d")

    assert 201 == (await tea.create()).status
    assert (429, "rate_limited") == (await tea.create()).refusal
    assert (422, "channel_not_configured") == (await tea.create(channels=["whatsapp"])).refusal

    await tea.operated("POST", f"/pin-templates/{tea.template}/disable")

    assert (409, "template_disabled") == (await tea.create(channels=["whatsapp"])).refusal
    assert (404, "template_not_found") == (
        await tea.under("tpl_none").create(channels=["whatsapp"])
    ).refusal


async def test_a_refused_create_stores_nothing(caller: Caller) -> None:
    """A refusal before dispatch leaves no event and no message behind."""
    tea = await caller.with_template()
    before = await tea.recorded()
    await tea.create(channels=["whatsapp"])
    await tea.create(templateParams={"7": "lucky"})
    await tea.create("")

    assert before == await tea.recorded()
    assert [] == await tea.outbox()
