"""`GET /v1/pins/{pinId}`: the status of a PIN, for the caller who made it (C-90)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE, Serving

STORES = EVERY_STORE
SILENT = "+919812340004"
MEMBERS = {
    "pinId",
    "status",
    "expiresAt",
    "attemptsRemaining",
    "referenceId",
    "channels",
    "createdAt",
    "updatedAt",
}


async def standing(caller: Caller, pin_id: str) -> dict[str, Any]:
    """Return the caller's view of a PIN."""
    reply = await caller.get(f"/v1/pins/{pin_id}")
    assert 200 == reply.status, reply.body
    record: dict[str, Any] = reply.json
    return record


async def test_a_pin_that_waits(caller: Caller) -> None:
    """Its whole record, as it was created; neither code, hash nor destination is in it."""
    created = (await caller.create(referenceId="login-7")).json
    told = await standing(caller, created["pinId"])

    assert MEMBERS == told.keys()
    assert [{"channel": "sms", "status": "accepted"}] == told["channels"]
    assert ("PENDING", "login-7", 5) == (
        told["status"],
        told["referenceId"],
        told["attemptsRemaining"],
    )
    assert (created["pinId"], created["expiresAt"]) == (told["pinId"], told["expiresAt"])
    assert await caller.code() not in str(told)


async def test_it_follows_what_happens(caller: Caller) -> None:
    """A guess takes an attempt, a read takes none; then VERIFIED."""
    pin_id = await caller.created()
    await caller.verify(pin_id, await caller.wrong_code())
    before = [await standing(caller, pin_id) for _ in range(2)]
    await caller.advance(5)
    await caller.verify(pin_id, await caller.code())

    assert [4, 4] == [each["attemptsRemaining"] for each in before]
    assert "VERIFIED" == (await standing(caller, pin_id))["status"]


async def test_an_expiry_is_derived_and_recorded_by_nobody(caller: Caller) -> None:
    """EXPIRED as in lists (C-15): reading it appends no event."""
    pin_id = await caller.created()
    await caller.advance(600)

    assert "EXPIRED" == (await standing(caller, pin_id))["status"]
    assert "PinExpired" not in await caller.story(pin_id)


async def test_a_receipt_is_shown_with_its_channel(caller: Caller) -> None:
    """It has the words of the search of verifications."""
    pin_id = await caller.created()
    (sent,) = await caller.outbox()
    told = {"providerMessageId": sent["providerMessageId"], "status": "DELIVERED"}
    await caller.post("/sandbox/receipts", told)
    (channel,) = (await standing(caller, pin_id))["channels"]
    (row,) = (await caller.operated("GET", "/verifications"))["data"]

    assert "delivered" == channel["receipt"]["status"]
    assert row["channels"][0]["receipt"] == channel["receipt"]


async def test_what_nobody_knows_reads_rejected(serving: Serving) -> None:
    """An unknown outcome reads as in the 502, with the PIN that it named (C-68)."""
    async with serving(provider_timeout=0.05) as caller:
        pin_id = (await caller.create(SILENT)).error["details"]["pinId"]
        told = await standing(caller, pin_id)

        assert "PENDING" == told["status"]
        assert [{"channel": "sms", "status": "rejected", "errorCode": "provider_timeout"}] == told[
            "channels"
        ]


async def test_a_pin_that_no_channel_took_is_404(caller: Caller) -> None:
    """No caller got its id (D-5); embedders get the same refusal."""
    await caller.create("+919812340001")
    (row,) = (await caller.operated("GET", "/verifications"))["data"]

    assert (404, "pin_not_found") == (await caller.get(f"/v1/pins/{row['pinId']}")).refusal


async def test_another_accounts_pin_is_an_unknown_one(caller: Caller) -> None:
    """The same answer for both, but for the request id (C-7)."""
    pin_id = await caller.created()
    await caller.operated("POST", "/accounts", {"name": "teapot"})
    key = (await caller.operated("POST", "/api-keys", {"account": "teapot", "name": "web"}))["key"]
    strangers = caller.using(key)
    theirs, unknown = [
        (await strangers.get(f"/v1/pins/{each}")).error for each in (pin_id, "pin_0")
    ]

    assert "pin_not_found" == theirs["code"]
    assert {**theirs, "requestId": ""} == {**unknown, "requestId": ""}


@pytest.mark.parametrize(("scope", "status"), [("pins", 200), ("messaging", 403)])
async def test_a_key_needs_the_scope(caller: Caller, scope: str, status: int) -> None:
    """It is a part of the PIN service (C-8)."""
    pin_id = await caller.created()
    made = await caller.operated("POST", "/api-keys", {"name": "web", "scopes": [scope]})

    assert status == (await caller.using(made["key"]).get(f"/v1/pins/{pin_id}")).status
