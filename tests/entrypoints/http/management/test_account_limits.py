"""Limits of accounts: requests, stored bytes and hosted media; each refusal names its limit (C-94)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.entrypoints.caller import UNHURRIED, Caller, Reply
from tests.entrypoints.conftest import EVERY_STORE
from tests.entrypoints.http.media.forms import file_part, form
from tests.entrypoints.message_templates.creating_whatsapp import TEXT, create
from tests.entrypoints.messaging.sends import SMS

STORES = EVERY_STORE
DEMO = "/accounts/demo/limits"
NONE: dict[str, Any] = {
    "requestsPerSecond": None,
    "storedBytesPerDay": None,
    "mediaBytes": 2**30,
}
WIDE = {**UNHURRIED, "sendPinPerPhoneNumberLimit": "1000/1d"}


async def limited(caller: Caller, **limits: int) -> Any:
    """Set all limits of the demo account."""
    return await caller.operated("PUT", DEMO, limits)


async def uploaded(caller: Caller, path: str = "/oapi/wa/mediaupload") -> Reply:
    """Upload three bytes."""
    headers = {"apikey": str(caller.key), "Content-Type": "multipart/form-data; boundary=tea"}
    fields = {"senderProfileName": "TeaHouse", "message_type": "promotional"}
    body = form(file_part(b"tea"), **fields)
    return await caller.using(None).post(path, data=body, headers=headers)


async def test_limits_are_set_as_a_whole(caller: Caller) -> None:
    """A missing limit is none, of media 1 GiB; a change is recorded, and a repetition is not."""
    before = await caller.operated("GET", DEMO)
    first = await limited(caller, requestsPerSecond=50, storedBytesPerDay=10**6)
    second = await limited(caller, mediaBytes=0)
    again = await limited(caller, mediaBytes=0)
    account = (await caller.operated("GET", "/accounts"))["data"][0]["id"]

    assert before == NONE
    assert first == {**NONE, "requestsPerSecond": 50, "storedBytesPerDay": 10**6}
    assert second == again == await caller.operated("GET", DEMO) == {**NONE, "mediaBytes": 0}
    assert ["AccountCreated", "AccountLimitsSet", "AccountLimitsSet"] == await caller.story(account)


async def test_wrong_limits_are_named(caller: Caller) -> None:
    """All at once, by their paths; nothing is set."""
    wrong = {"requestsPerSecond": 0, "storedBytesPerDay": "1 GB", "mediaBytes": -1}
    refused = await caller.operate("PUT", DEMO, wrong)
    unknown = [await caller.operate(each, "/accounts/nobody/limits", {}) for each in ("GET", "PUT")]

    assert sorted(wrong) == sorted(refused.wrong)
    assert [(404, "account_not_found")] * 2 == [each.refusal for each in unknown]
    assert await caller.operated("GET", DEMO) == NONE


async def test_a_misspelt_limit_takes_none_away(caller: Caller) -> None:
    """It is 400 by its name without any preference: ignored, it would remove a limit (D-164)."""
    before = await limited(caller, requestsPerSecond=50)
    refused = await caller.operate("PUT", DEMO, {"requestPerSecond": 20})

    assert (400, "validation_failed") == refused.refusal
    assert ["requestPerSecond"] == refused.wrong
    assert before == await caller.operated("GET", DEMO)


async def test_requests_too_many_are_refused_before_their_bodies(caller: Caller) -> None:
    """In each area's form, with the limit's name and when to try again; a neighbour is not."""
    neighbour = await caller.neighbour()
    await limited(caller, requestsPerSecond=1)
    key = {"apikey": str(caller.key)}
    replies = await asyncio.gather(
        *(caller.post("/v1/pins", data=b"{") for _ in range(5)),
        *(caller.using(None).post("/oapi/send_sms", data=b"{", headers=key) for _ in range(5)),
        *(caller.using(None).post("/rcs/mediaupload", data=b"{", headers=key) for _ in range(5)),
    )
    refused = [each for each in replies if each.status == 429]
    served = await asyncio.gather(*(neighbour.templates() for _ in range(5)))

    assert len(refused) >= 10
    details = {"retryAfterSeconds": 1, "rule": "requests_per_second"}
    for each in refused:
        assert "1" == each.headers["Retry-After"]
        assert details == each.json.get("error", each.json)["details"]
    assert {"error", "status"} == {next(iter(each.json)) for each in refused}
    assert {200} == {each.status for each in served}


async def test_a_limit_of_stored_bytes_lasts_for_a_day(caller: Caller) -> None:
    """Creates and sends beyond it are 429; begun work goes on, and the next day starts at zero."""
    caller = await caller.with_template(**WIDE)
    pin_id = await caller.created()
    code = await caller.code()
    await limited(caller, storedBytesPerDay=5_000)
    created = [await caller.create() for _ in range(20)]
    sent = await caller.send(sms=[SMS])
    recorded = await caller.recorded()
    verified = await caller.verify(pin_id, code)
    await caller.advance(24 * 60 * 60)
    tomorrow = await caller.create()

    taken = [each for each in created if each.status == 201]
    refused = created[len(taken) :]
    assert 2 <= len(taken) <= 10
    assert {(429, "rate_limited")} == {each.refusal for each in (*refused, sent)}
    for each in (*refused, sent):
        assert "stored_bytes_per_day" == each.error["details"]["rule"]
        assert 0 < int(each.headers["Retry-After"]) <= 24 * 60 * 60
    assert 410 == verified.status
    assert recorded < await caller.recorded()
    assert 201 == tomorrow.status


async def test_whatever_begins_something_is_refused(caller: Caller) -> None:
    """Each such call meets the limit of stored bytes; a verdict is always written (D-138)."""
    caller = await caller.with_template(**WIDE)
    pin_id = await caller.created()
    code = await caller.code()
    # Until a resend has no cooldown to wait for.
    await caller.advance(31)
    await limited(caller, storedBytesPerDay=1)
    key, listed = {"apikey": str(caller.key)}, {"recipients": ["+447700900001"]}
    refused = [
        await caller.create(),
        await caller.resend(pin_id),
        await caller.send(sms=[SMS]),
        await caller.using(None).post("/opt/out/wa", listed, headers=key),
        await create(caller, TEXT),
        await uploaded(caller),
    ]
    verified = await caller.verify(pin_id, code)

    assert [429] * 6 == [each.status for each in refused]
    for each in refused:
        rule = each.json.get("error", each.json)["details"]["rule"]
        assert "stored_bytes_per_day" == rule
    assert 200 == verified.status


async def test_a_rating_beyond_the_stored_bytes_is_refused(caller: Caller) -> None:
    """The refusal has the legacy platform's form, with the limit's name in its data."""
    asha = {"email": "asha@tea.example", "password": "first flush"}
    await caller.operated("POST", "/legacy-users", asha)
    client = caller.using(None)
    login = await client.post("/account/enterprise/login", asha)
    await limited(caller, storedBytesPerDay=1)
    rated = {"chatId": "chat-7", "phone": "+919812345610", "rating": "5"}
    headers = {"authentication-token": login.json["data"]["token"]}
    refused = await client.post("/whatsapp/chat/feedback", rated, headers=headers)

    assert "stored_bytes_per_day" == refused.json["data"]["rule"]


@pytest.mark.parametrize("path", ["/rcs/mediaupload", "/oapi/wa/mediaupload"])
async def test_media_beyond_their_room_are_refused(caller: Caller, path: str) -> None:
    """Removing others makes room; the refusal has the form of the path."""
    await limited(caller, mediaBytes=5)
    first = await uploaded(caller, path)
    refused = await uploaded(caller, path)
    await caller.operated("DELETE", f"/media/{first.json['id']}")
    third = await uploaded(caller, path)

    assert [200, 429, 200] == [each.status for each in (first, refused, third)]
    assert {"retryAfterSeconds": 3600, "rule": "media_bytes"} == refused.json["details"]
    assert "3600" == refused.headers["Retry-After"]
    assert 1 == (await caller.operated("GET", "/media"))["total"]


async def test_an_account_without_room_is_refused_before_its_bodies(caller: Caller) -> None:
    """So no disk is written in vain."""
    await limited(caller, mediaBytes=0)
    key = {"apikey": str(caller.key)}
    reply = await caller.using(None).post("/oapi/wa/mediaupload", data=b"{", headers=key)

    assert (429, "rate_limited") == reply.refusal
    assert "media_bytes" == reply.error["details"]["rule"]


async def test_media_that_come_together_share_one_room(caller: Caller) -> None:
    """Many uploads come at once: as many are stored as there is room for."""
    await limited(caller, mediaBytes=10)
    replies = await asyncio.gather(*(uploaded(caller) for _ in range(8)))

    assert [200] * 3 + [429] * 5 == sorted(each.status for each in replies)
