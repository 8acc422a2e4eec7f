"""A suspended account: every area refuses its callers, and providers' reports are recorded (C-95)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import EVERY_STORE, Serving
from tests.entrypoints.messaging.sends import DEMO_WA, FALLBACK, FALLBACK_SMS, SMS
from tests.entrypoints.receiving import Receiver, endpoint

STORES = EVERY_STORE
DEMO = "/accounts/demo"
ASHA = {"email": "asha@tea.example", "password": "first flush"}
WITH_SMS = {**FALLBACK, "sms": FALLBACK_SMS}


async def outside(caller: Caller, path: str, data: bytes = b"{") -> Reply:
    """Post with the key in the header of the messaging endpoints; by default no JSON at all."""
    return await caller.using(None).post(path, data=data, headers={"apikey": str(caller.key)})


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/v1/pins"), ("POST", "/v1/pins/pin_1/verify"), ("GET", "/v1/templates")],
)
async def test_the_pin_service_refuses(caller: Caller, method: str, path: str) -> None:
    """403 in the envelope, before a body is read; a key that is none is still 401."""
    await caller.operated("POST", f"{DEMO}/suspend")
    reply = await caller.ask(method, path, data=b"{" if method == "POST" else None)
    unknown = await caller.using("nobody's").ask(method, path)

    assert (403, "account_suspended") == reply.refusal
    assert {} == reply.error["details"]
    assert (401, "unauthorized") == unknown.refusal


@pytest.mark.parametrize(
    "path", ["/oapi/send_sms", "/status", "/oapi/wa/mediaupload", "/rcs/templates", "/opt/in/wa"]
)
async def test_the_messaging_endpoints_refuse(caller: Caller, path: str) -> None:
    """403 in their own form, before a body is read."""
    await caller.operated("POST", f"{DEMO}/suspend")
    reply = await outside(caller, path)

    assert (403, "account_suspended") == reply.refusal
    assert [] == reply.error["errors"]


async def test_the_media_upload_refuses_in_the_form_of_its_table(caller: Caller) -> None:
    """The refusal has `http_status` and words, like every one not about a key (C-58)."""
    await caller.operated("POST", f"{DEMO}/suspend")
    reply = await outside(caller, "/rcs/mediaupload")

    assert 403 == reply.status
    assert {
        "status": "error",
        "http_status": 403,
        "message": "The account is suspended. Ask your operator.",
    } == reply.json


async def test_the_legacy_platform_refuses_tokens_and_right_passwords(caller: Caller) -> None:
    """105, as its table has no code for accounts; a wrong password is still 101."""
    await caller.operated("POST", "/legacy-users", ASHA)
    client = caller.using(None)
    login = "/account/enterprise/login"
    token = (await client.post(login, ASHA)).json["data"]["token"]
    await caller.operated("POST", f"{DEMO}/suspend")
    headers = {"authentication-token": token}
    replies = [
        await client.post("/svc/api/message/send", data=b"{", headers=headers),
        await client.post("/whatsapp/chat/feedback", data=b"{", headers=headers),
        await client.post(login, ASHA),
        await client.post(login, {**ASHA, "password": "second flush"}),
    ]

    assert [(200, 105), (200, 105), (200, 105), (200, 101)] == [
        (each.status, each.json["responseCode"]) for each in replies
    ]
    assert "The account is suspended. Ask your operator." == replies[0].json["message"]


async def test_a_resumed_account_is_as_it_was(caller: Caller) -> None:
    """Record, list and history say since when; a lever that is pulled twice moves nothing."""
    suspended = await caller.operated("POST", f"{DEMO}/suspend")
    again = await caller.operated("POST", f"{DEMO}/suspend")
    listed = (await caller.operated("GET", "/accounts"))["data"][0]
    resumed = await caller.operated("POST", f"/accounts/{suspended['id']}/resume")
    pin = await caller.create()
    story = await caller.events(suspended["id"])

    assert suspended["suspendedAt"] is not None
    assert suspended == again == listed
    assert resumed == {**suspended, "suspendedAt": None}
    assert 201 == pin.status
    assert ["AccountCreated", "AccountSuspended", "AccountResumed"] == [
        each["type"] for each in story
    ]
    assert "admin" == story[1]["actor"]


async def test_a_suspension_holds_at_once_for_a_key_in_use(caller: Caller) -> None:
    """A key that its node remembers is looked up anew, by the next request already."""
    replies = [await caller.create()]
    for lever in ("suspend", "resume"):
        await caller.operated("POST", f"{DEMO}/{lever}")
        replies.append(await caller.templates())

    assert [201, 403, 200] == [each.status for each in replies]


async def test_a_neighbour_is_not_suspended(caller: Caller) -> None:
    """Accounts have nothing to do with each other (C-7); one that is not there is 404."""
    neighbour = await caller.neighbour()
    await caller.operated("POST", f"{DEMO}/suspend")

    assert 201 == (await neighbour.create()).status
    for lever in ("suspend", "resume"):
        unknown = await caller.operate("POST", f"/accounts/nobody/{lever}")
        assert (404, "account_not_found") == unknown.refusal


async def test_receipts_are_still_heard(caller: Caller) -> None:
    """A provider's report is recorded for the operator."""
    sent = (await caller.sent(sms=[SMS]))["data"][0]
    (shown,) = await caller.outbox()
    await caller.operated("POST", f"{DEMO}/suspend")
    body: dict[str, Any] = {
        "providerMessageId": shown["providerMessageId"],
        "status": "DELIVERED",
    }
    heard = await caller.post("/sandbox/receipts", body)

    assert 200 == heard.status
    assert "MessageReported" in await caller.story(sent["messageId"])


async def test_nothing_falls_back_meanwhile(caller: Caller) -> None:
    """A step whose turn comes while its account is suspended ends its run, and says why (D-135)."""
    sent = (await caller.sent(wa=[DEMO_WA], fallback=WITH_SMS))["data"][0]
    await caller.operated("POST", f"{DEMO}/suspend")
    await caller.advance(61)
    run = await caller.events(sent["fallbackRunId"])
    await caller.operated("POST", f"{DEMO}/resume")
    await caller.advance(61)

    assert ["FallbackArmed", "FallbackTriggered", "FallbackRejected"] == [
        each["type"] for each in run if each["type"] != "AttemptEnded"
    ]
    assert "account_suspended" == run[-1]["data"]["errorCode"]
    assert ["whatsapp"] == [each["channel"] for each in await caller.outbox()]


async def test_callbacks_are_still_told(serving: Serving, receiver: Receiver) -> None:
    """Reports that providers post meanwhile have callbacks, too (D-135)."""
    async with serving(allow_private_urls=True) as caller:
        await endpoint(caller, receiver, events=["message.delivered"])
        sent = (await caller.sent(sms=[SMS]))["data"][0]
        (shown,) = await caller.outbox()
        await caller.operated("POST", f"{DEMO}/suspend")
        report = {"providerMessageId": shown["providerMessageId"], "status": "DELIVERED"}
        await caller.post("/sandbox/receipts", report)
        (told,) = await receiver.until(1)

    assert sent["messageId"] in str(told.body)
