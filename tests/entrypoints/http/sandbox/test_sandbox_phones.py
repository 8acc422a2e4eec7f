"""The sandbox's phones: automatic and requested receipts, and inbound messages (C-39, C-61)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import (
    DEMO_RCS,
    DEMO_WA,
    FALLBACK,
    FALLBACK_SMS,
    RECIPIENT,
    SMS,
)
from tests.entrypoints.messaging.sends import session as session_entry
from tests.fakes.signing import SECRET, SigningProvider
from watchword.entrypoints.http.app import Exposure

FAILS, ARRIVES, SILENT = "+4915112340002", "+4915112340005", "+4915112340003"
WITH_SMS = {**FALLBACK, "sms": FALLBACK_SMS}
PERSON = "+447700900123"
NOTE = {"channel": "whatsapp", "from": PERSON, "to": "+15550100", "text": "Is it ready?"}


async def told(caller: Caller, **receipt: Any) -> Reply:
    """Report on something."""
    return await caller.post("/sandbox/receipts", receipt)


async def sent(caller: Caller, recipient: str = RECIPIENT, **more: Any) -> str:
    """Send an SMS, and return the message's id."""
    body = await caller.sent(sms=[{**SMS, "recipient": recipient}], **more)
    return str(body["data"][0]["messageId"])


async def receipts_shown(caller: Caller) -> list[Any]:
    """Return the receipts that the search of verifications shows, the newest PIN's first."""
    rows = (await caller.operated("GET", "/verifications"))["data"]
    return [channel.get("receipt") for row in rows for channel in row["channels"]]


@pytest.mark.parametrize(
    ("recipient", "expected"),
    [(FAILS, "failed"), (ARRIVES, "delivered"), (SILENT, "accepted"), (RECIPIENT, "accepted")],
)
async def test_a_destination_reports_by_itself(
    caller: Caller, recipient: str, expected: str
) -> None:
    """0002 is accepted and then FAILED, 0005 is accepted and then DELIVERED (C-40)."""
    message_id = await sent(caller, recipient)
    before = await caller.standing(message_id)
    await caller.advance(1)
    entry = await caller.standing(message_id)

    assert "accepted" == before["events"][0]["status"]
    assert expected == entry["status"]
    assert ("sandbox_failed" if expected == "failed" else None) == entry["events"][-1].get(
        "errorCode"
    )


async def test_a_receipt_that_came_by_itself_keeps_the_fallback_from_firing(caller: Caller) -> None:
    """The receipt came before, even if the clock is moved far at once (C-39)."""
    message_id = await sent(caller, ARRIVES, fallback=WITH_SMS)
    await caller.advance(3600)

    assert "stood_down" == (await caller.standing(message_id))["fallback"]["status"]
    assert 1 == len(await caller.outbox())


async def test_a_failure_fires_the_fallback_and_that_reports_too(caller: Caller) -> None:
    """Each step is a message of its own, to the same destination; all of it in one move."""
    message_id = await sent(caller, FAILS, fallback=WITH_SMS)
    await caller.advance(1)
    fallback = (await caller.standing(message_id))["fallback"]

    assert ("fired", "failed") == (fallback["status"], fallback["steps"][0]["status"])
    assert 2 == len(await caller.outbox())


async def test_a_code_reports_by_itself_too(caller: Caller) -> None:
    """Shown in verifications, nowhere else: dispatches of PINs are no messages (C-23)."""
    pin_id = await caller.created(ARRIVES)
    nothing_yet = await receipts_shown(caller)
    await caller.advance(1)
    (receipt,) = await receipts_shown(caller)

    assert [None] == nothing_yet
    assert {"status", "at"} == receipt.keys()
    assert "delivered" == receipt["status"]
    assert ["PinIssued", "PinDispatched", "PinReported"] == await caller.story(pin_id)
    assert [] == await caller.history()
    assert "unknown" == (await caller.standing(pin_id))["status"]


@pytest.mark.parametrize("word", ["SENT", "DELIVERED", "READ", "FAILED"])
@pytest.mark.parametrize("name", ["messageId", "providerMessageId"])
async def test_a_receipt_at_will(caller: Caller, name: str, word: str) -> None:
    """It takes either id that the outbox shows (C-39)."""
    message_id = await sent(caller)
    (shown,) = await caller.outbox()
    reply = await told(caller, **{name: shown[name]}, status=word, errorCode="why")
    entry = await caller.standing(message_id)

    assert (200, {"status": "success"}) == (reply.status, reply.json)
    assert message_id == shown["messageId"]
    assert (word.lower(), word.lower(), "why") == (
        entry["status"],
        entry["events"][-1]["status"],
        entry["events"][-1]["errorCode"],
    )


async def test_a_receipt_for_a_code_at_will(caller: Caller) -> None:
    """A failure is shown with its reason, and the code still verifies."""
    pin_id = await caller.created()
    (shown,) = await caller.outbox()
    await told(
        caller, providerMessageId=shown["providerMessageId"], status="FAILED", errorCode="absent"
    )
    (receipt,) = await receipts_shown(caller)

    assert "messageId" not in shown
    assert ("failed", "absent") == (receipt["status"], receipt["errorCode"])
    assert 200 == (await caller.verify(pin_id, await caller.code())).status


async def test_a_lower_receipt_moves_nothing_back(caller: Caller) -> None:
    """It stands in the history, and the status stays (C-22)."""
    message_id = await sent(caller)
    for word in ("READ", "DELIVERED", "FAILED"):
        await told(caller, messageId=message_id, status=word)
    entry = await caller.standing(message_id)

    assert "read" == entry["status"]
    assert ["accepted", "read", "delivered", "failed"] == [
        each["status"] for each in entry["events"]
    ]


async def test_an_unknown_message_is_404(caller: Caller) -> None:
    """A message that no provider accepted, and a PIN, are 404, too."""
    rejected = await sent(caller, "+4915112340001")
    for unknown in ("msg_unknown", "nonsense", rejected, await caller.created()):
        reply = await told(caller, messageId=unknown, status="READ")

        assert (404, "message_not_found") == reply.refusal


async def test_nobody_makes_up_what_another_provider_says(serving: Serving) -> None:
    """Phones are the sandbox's: a message that went another way is none of theirs."""
    async with serving(providers={"courier": SigningProvider()}) as caller:
        courier = {"name": "courier", "channelType": "sms", "provider": "courier"}
        made = await caller.operated(
            "POST",
            "/channel-accounts",
            {**courier, "sender": "COURIER", "config": {"secret": SECRET}},
        )
        body = await caller.sent(sms=[{**SMS, "sender": "COURIER"}])
        by_message = await told(caller, messageId=body["data"][0]["messageId"], status="READ")
        forged = f"sandbox_{'0' * 24}_{made['id']}"
        await told(caller, providerMessageId=forged, status="READ")
        log = (await caller.operated("GET", "/events?limit=1000"))["data"]

    assert (404, "message_not_found") == by_message.refusal
    assert made["id"] not in {each["actor"] for each in log}


async def test_an_unknown_providers_id_is_parked(caller: Caller) -> None:
    """For 24 hours, on a stream of its own (C-22)."""
    first = await told(caller, providerMessageId="their-7", status="SENT")
    again = await told(caller, providerMessageId="their-7", status="READ")
    log = (await caller.operated("GET", "/events?limit=1000"))["data"]
    (stream,) = {each["streamId"] for each in log if each["type"] == "ReceiptParked"}
    await caller.advance(24 * 60 * 60)

    assert (200, 200) == (first.status, again.status)
    assert ["ReceiptParked", "ReceiptParked", "ReceiptDropped"] == await caller.story(stream)


async def test_a_receipt_finds_its_message_after_a_restart(
    serving: Serving, tmp_path: Path
) -> None:
    """The outbox is empty then, and the id contains the channel account (C-39)."""
    file = f"sqlite:///{tmp_path / 'kept.db'}"
    async with serving(store=file) as caller:
        message_id = await sent(caller)
        (shown,) = await caller.outbox()
    async with serving(store=file) as caller:
        empty = await caller.outbox()
        await told(caller, providerMessageId=shown["providerMessageId"], status="DELIVERED")

        assert [] == empty
        assert "delivered" == (await caller.standing(message_id))["status"]


async def test_a_receipt_has_one_of_two_ids(caller: Caller) -> None:
    """No id and both ids are refused, and the refusal names the two."""
    both = ["providerMessageId", "messageId"]

    assert both == (await told(caller, status="READ")).wrong
    assert (
        both == (await told(caller, providerMessageId="7", messageId="msg_7", status="READ")).wrong
    )
    assert ["providerMessageId", "status", "errorCode"] == (
        await told(caller, providerMessageId="", status="LOST", errorCode="a b")
    ).wrong


async def test_an_rcs_message_that_is_silent_is_taken_back(caller: Caller) -> None:
    """Its channel can: the ended primary reads `revoked`, on others `expired` (C-50, D-44)."""
    rcs = await caller.sent(rcs=[DEMO_RCS], fallback=WITH_SMS)
    wa = await caller.sent(wa=[DEMO_WA], fallback=WITH_SMS)
    await caller.advance(61)
    ends = [(await caller.standing(body["data"][0]["messageId"]))["status"] for body in (rcs, wa)]

    assert ["revoked", "expired"] == ends


async def test_a_message_in_the_outbox_shows_its_content(caller: Caller) -> None:
    """The template object, or what goes out beside the text of an SMS (C-39, C-71)."""
    ids = {"templateId": "1107", "entityId": "1101"}
    await caller.sent(wa=[DEMO_WA])
    await caller.sent(rcs=[DEMO_RCS])
    await sent(caller)
    await caller.sent(sms=[{**SMS, **ids, "unicode": 1}])
    wa, rcs, sms, indian = await caller.outbox()

    assert ("whatsapp_template", "demo") == (wa["payload"]["kind"], wa["payload"]["name"])
    assert {"kind": "rcs_template", "templateCode": "demo"}.items() <= rcs["payload"].items()
    assert {"name": "Asha", "order": "4711"} == rcs["payload"]["params"]
    assert {"unicode": False} == sms["payload"]
    assert {**ids, "unicode": True} == indian["payload"]


@pytest.mark.parametrize("channel", ["whatsapp", "wa"])
async def test_what_a_person_writes_is_in_the_history(caller: Caller, channel: str) -> None:
    """`wa` and `whatsapp` both do (C-45); the text is in no list (C-23)."""
    reply = await caller.post("/sandbox/inbound", {**NOTE, "channel": channel})
    (entry,) = await caller.history()

    assert {"status": "success", "messageId": entry["messageId"]} == reply.json
    assert ("inbound", "whatsapp", "received", PERSON, "+15550100") == (
        entry["direction"],
        entry["channel"],
        entry["status"],
        entry["sender"],
        entry["recipient"],
    )


async def test_writing_opens_the_session(caller: Caller) -> None:
    """For 24 hours, to the person who wrote (C-26)."""
    text = {**session_entry("text", {"body": "It is."}), "recipient": [PERSON]}
    before = (await caller.sent(wa=[text]))["data"][0]
    await caller.post("/sandbox/inbound", NOTE)
    after = (await caller.sent(wa=[text]))["data"][0]
    await caller.advance(24 * 60 * 60 + 1)
    later = (await caller.sent(wa=[text]))["data"][0]

    assert "session_expired" == before["errorCode"] == later["errorCode"]
    assert "accepted" == after["status"]


async def test_whoever_has_the_number_gets_what_is_written_to_it(caller: Caller) -> None:
    """Without an owner it is the demo's first channel account of the channel (C-49)."""
    neighbour = await caller.neighbour()
    theirs = {"account": "neighbour", "name": "wa", "channelType": "whatsapp"}
    await caller.operated(
        "POST",
        "/channel-accounts",
        {**theirs, "provider": "sandbox", "sender": "+15550177", "config": {}},
    )
    for recipient in ("+15550177", "+15550188"):
        await caller.post("/sandbox/inbound", {**NOTE, "to": recipient})

    assert ["+15550177"] == [each["recipient"] for each in await neighbour.history()]
    assert ["+15550188"] == [each["recipient"] for each in await caller.history()]


async def test_what_cannot_be_written_is_refused(caller: Caller) -> None:
    """Every wrong member by its name on the wire."""
    wrong = {"channel": "pigeon", "from": "", "to": 7, "text": ""}

    assert ["channel", "from", "to", "text"] == (await caller.post("/sandbox/inbound", wrong)).wrong
    assert ["channel", "from", "to", "text"] == (await caller.post("/sandbox/inbound", {})).wrong
    assert ["body"] == (await caller.post("/sandbox/inbound", [])).wrong


@pytest.mark.parametrize("prefix", ["/sandbox", "/admin/v1/sandbox"])
async def test_phones_answer_loopback_names_alone(caller: Caller, prefix: str) -> None:
    """Under both addresses, with the guard of the other routes (C-4)."""
    nobody, abroad = caller.using(None), {"Host": "evil.example"}
    for path, body in (
        ("receipts", {"providerMessageId": "7", "status": "READ"}),
        ("inbound", NOTE),
    ):
        welcome = await nobody.post(f"{prefix}/{path}", body)
        refused = await nobody.post(f"{prefix}/{path}", body, headers=abroad)

        assert 200 == welcome.status
        assert (403, "forbidden") == refused.refusal


async def test_phones_of_a_public_sandbox_want_the_operators_token(serving: Serving) -> None:
    """Others cannot invent receipts (C-4)."""
    async with serving(Exposure(admin_token="tell-nobody", sandbox_public=True)) as caller:
        for path, body in (
            ("receipts", {"providerMessageId": "7", "status": "READ"}),
            ("inbound", NOTE),
        ):
            assert (401, "unauthorized") == (await caller.post(f"/sandbox/{path}", body)).refusal
            welcome = await caller.using("tell-nobody").post(f"/sandbox/{path}", body)
            assert 200 == welcome.status


async def test_outside_the_sandbox_nobody_has_a_phone(serving: Serving) -> None:
    """The routes do not exist (C-4)."""
    async with serving(sandbox=False) as caller:
        for path in ("receipts", "inbound"):
            assert 404 == (await caller.post(f"/sandbox/{path}", {})).status


async def test_a_receipts_code_shows_no_number(caller: Caller) -> None:
    """A code that holds the number, or is a text, is in no history and no status (C-100)."""
    barred, spoken = await sent(caller), await sent(caller)
    await told(caller, status="FAILED", messageId=barred, errorCode=f"barred_{RECIPIENT[1:]}")
    await told(caller, status="FAILED", messageId=spoken, errorCode="no.route:here")

    for message_id in (barred, spoken):
        (*_, reported) = await caller.events(message_id)
        assert "provider_rejected" == reported["data"]["errorCode"]
        assert "provider_rejected" == (await caller.standing(message_id))["events"][-1]["errorCode"]


async def test_a_masked_history_shows_no_id_of_a_provider(caller: Caller) -> None:
    """A provider may make its ids of the number, so they are masked as the number is (C-73)."""
    message_id = await sent(caller)
    path = f"/streams/{message_id}/events?mask=true"
    (*_, dispatched) = (await caller.operated("GET", path))["data"]

    assert "***" == dispatched["data"]["outcome"]["providerMessageId"]
