"""Failover from outside: codes and messages of the sandbox, and what answers say was tried (C-69)."""

from __future__ import annotations

from typing import Any

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import SMS

SILENT = "+4915112340004"


async def account(caller: Caller, name: str, **more: Any) -> str:
    """Create a channel account of the sandbox, and return its id."""
    body = {"name": name, "channelType": "sms", "provider": "sandbox", **more}
    made: dict[str, Any] = await caller.operated("POST", "/channel-accounts", body)
    return str(made["id"])


async def pair(caller: Caller) -> tuple[str, str]:
    """Create an account that stays silent, and one that follows it."""
    spare = await account(caller, "spare", sender="SPARE")
    silent = await account(
        caller, "silent", sender="HUSH", config={"outcome": "timeout"}, failover=[spare]
    )
    return silent, spare


async def test_a_code_goes_out_through_the_account_that_follows(serving: Serving) -> None:
    """The PIN's record and the operators' search say what was tried; the code verifies."""
    async with serving(provider_timeout=0.2) as caller:
        silent, spare = await pair(caller)
        mine = await caller.with_template({"channelType": "sms", "channelAccountId": silent})
        created = await mine.create()
        pin_id = created.json["pinId"]
        record = (await mine.get(f"/v1/pins/{pin_id}")).json
        (found,) = (await caller.operated("GET", "/verifications?pageSize=1"))["data"]
        tried = [
            {"channelAccountId": silent, "status": "unknown", "code": "provider_timeout"},
            {"channelAccountId": spare, "status": "accepted"},
        ]

        assert 201 == created.status
        assert tried == record["channels"][0]["tried"]
        assert (spare, tried) == (
            found["channels"][0]["channelAccountId"],
            found["channels"][0]["tried"],
        )
        assert 200 == (await mine.verify(pin_id, await caller.code())).status


async def test_a_breaker_opens_and_the_record_of_its_account_says_so(serving: Serving) -> None:
    """After five silences nothing waits for the account any more, until a change closes it."""
    async with serving(provider_timeout=0.2) as caller:
        silent, _ = await pair(caller)
        mine = await caller.with_template(
            {"channelType": "sms", "channelAccountId": silent},
            sendPinPerPhoneNumberLimit="100/1m",
        )
        for _ in range(5):
            await mine.created()
        pin_id = await mine.created()
        first, _ = (await mine.get(f"/v1/pins/{pin_id}")).json["channels"][0]["tried"]
        opened = await caller.operated("GET", f"/channel-accounts/{silent}")
        patched = await caller.operated(
            "PATCH", f"/channel-accounts/{silent}", {"config": {"outcome": "accepted"}}
        )
        await mine.created()
        closed = await caller.operated("GET", f"/channel-accounts/{silent}")

        assert {"channelAccountId": silent, "status": "rejected", "code": "channel_away"} == first
        assert "open" == opened["health"]["breaker"]
        assert silent == patched["id"]
        assert ("closed", "accepted") == (
            closed["health"]["breaker"],
            closed["health"]["lastOutcome"]["status"],
        )


async def test_a_messages_history_says_what_was_tried(serving: Serving) -> None:
    """The line of its dispatch has the attempts, where the account may fail over after silence."""
    async with serving(provider_timeout=0.2) as caller:
        silent, spare = await pair(caller)
        await caller.operated("PATCH", f"/channel-accounts/{silent}", {"failoverOnUnknown": True})
        (told,) = (await caller.sent(sms=[{**SMS, "sender": "HUSH"}]))["data"]
        standing = await caller.standing(told["messageId"])
        (line,) = standing["events"]

        assert "accepted" == told["status"]
        assert [
            {"channelAccountId": silent, "status": "unknown", "code": "provider_timeout"},
            {"channelAccountId": spare, "status": "accepted"},
        ] == line["tried"]


async def test_the_delivery_report_names_the_account_that_took_a_message(serving: Serving) -> None:
    """Operators count and find a message where it was sent, and not where it was planned (D-251)."""
    async with serving() as caller:
        disabled, spare = await pair(caller)
        await caller.operated("POST", f"/channel-accounts/{disabled}/disable")
        (told,) = (await caller.sent(sms=[{**SMS, "sender": "HUSH"}]))["data"]
        (found,) = (await caller.operated("GET", "/messages?channelName=spare"))["data"]
        planned = (await caller.operated("GET", "/messages?channelName=silent"))["data"]

        assert (told["messageId"], spare, "spare") == (
            found["messageId"],
            found["channelAccountId"],
            found["channelName"],
        )
        assert [] == planned


async def test_a_disabled_senders_failover_accounts_follow(serving: Serving) -> None:
    """The account that follows sends, and none of another sender, although it is older (D-250)."""
    async with serving() as caller:
        disabled, spare = await pair(caller)
        await caller.operated("POST", f"/channel-accounts/{disabled}/disable")
        (told,) = (await caller.sent(sms=[{**SMS, "sender": "HUSH"}]))["data"]
        (line,) = (await caller.standing(told["messageId"]))["events"]
        await caller.operated("POST", f"/channel-accounts/{spare}/disable")
        (refused,) = (await caller.sent(sms=[{**SMS, "sender": "HUSH"}]))["data"]

        assert "accepted" == told["status"]
        assert [
            {"channelAccountId": disabled, "status": "rejected", "code": "channel_disabled"},
            {"channelAccountId": spare, "status": "accepted"},
        ] == line["tried"]
        assert ("rejected", "channel_disabled") == (refused["status"], refused["errorCode"])


async def test_silent_recipients_of_the_sandbox_open_no_breaker(serving: Serving) -> None:
    """Six time-outs in a row, and the next number gets its message (D-226)."""
    async with serving(provider_timeout=0.05) as caller:
        silent = [{**SMS, "recipient": SILENT}] * 6
        told = [(await caller.sent(sms=[each]))["data"][0]["errorCode"] for each in silent]
        (after,) = (await caller.sent(sms=[SMS]))["data"]

        assert ["provider_timeout"] * 6 == told
        assert "accepted" == after["status"]
