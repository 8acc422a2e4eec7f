"""`GET /messages` and `GET /admin/v1/messages`: the delivery report over HTTP (C-37)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import EVERY_STORE
from tests.entrypoints.messaging.sends import DEMO_RCS, RECIPIENT, SMS
from watchword.application.messages.looking_up.searching_messages import MessageSearch
from watchword.domain.errors import ValidationFailedError
from watchword.domain.message import MessageStatus
from watchword.entrypoints.messaging.message_questions import require_account

STORES = EVERY_STORE
REJECTED = "+447700900001"


async def report(caller: Caller, query: str = "") -> Reply:
    """Search the messages of the caller's account."""
    key = {} if caller.key is None else {"apikey": caller.key}
    return await caller.using(None).get(f"/messages?{query}", headers=key)


async def found(caller: Caller, query: str = "") -> list[dict[str, Any]]:
    """Search with success, in both places alike."""
    own = (await report(caller, query)).json
    all_there_are = await caller.operated("GET", f"/messages?account=demo&{query}")
    assert own == all_there_are
    return list(own["data"])


async def test_a_report_shows_what_became_of_each_message(caller: Caller) -> None:
    """It omits contents, and has the envelope of every list (SPEC 2.8)."""
    sent = await caller.sent(
        sms=[{**SMS, "recipient": REJECTED, "custRef1": "order-4711"}], campaignName="spring"
    )
    reply = (await report(caller)).json
    (shown,) = reply.pop("data")
    (event,) = shown["events"]

    assert {"page": 1, "pageSize": 25, "total": 1, "totalPages": 1, "totalIsExact": True} == reply
    assert {
        "messageId": sent["data"][0]["messageId"],
        "channelType": "sms",
        "channelName": "sandbox sms",
        "resourceType": "api",
        "direction": "outbound",
        "sender": SMS["sender"],
        "recipient": REJECTED,
        "status": "rejected",
        "errorCode": "sandbox_rejected",
        "campaignName": "spring",
        "custRefs": {"custRef1": "order-4711"},
        "tags": {},
        "fallbackRunId": None,
        "sentByRunId": None,
        "apiKeyName": "sandbox",
    }.items() <= shown.items()
    assert "rejected" == event["status"]
    assert shown["actor"] == (await caller.events(shown["messageId"]))[0]["actor"]
    assert SMS["messageBody"] not in repr(shown)


async def test_filters_narrow_a_report(caller: Caller) -> None:
    """Each in the spelling of the documentation."""
    await caller.sent(sms=[{**SMS, "custRef1": "order-1"}, {**SMS, "recipient": REJECTED}])
    await caller.sent(rcs=[DEMO_RCS])
    whole = await found(caller)

    for query, count in (
        ("channelType=rcs", 1),
        ("channelType=wa", 0),
        ("channel=rcs", 1),
        ("channelName=sandbox+sms&status=rejected", 1),
        (f"recipient=00{RECIPIENT[1:]}&resourceType=api&direction=outbound", 2),
        ("reference=order-1", 1),
        ("resourceType=legacy", 0),
        ("tag1=spring", 0),
        ("from=2020-01-01&to=2021-01-01", 0),
        ("from=2020-01-01&status=&tag2=", 3),
        ("page=2&pageSize=2", 1),
    ):
        assert count == len(await found(caller, query)), query
    assert ["rcs", "sms", "sms"] == [each["channelType"] for each in whole]


async def test_what_is_no_filter_is_named(caller: Caller) -> None:
    """All at once, in the form of each area."""
    query = "channelType=fax&status=lost&resourceType=x&direction=up&from=soon"
    named = {"channelType", "status", "resourceType", "direction", "from"}

    assert named == set((await report(caller, query)).wrong)
    assert named == set((await caller.operate("GET", f"/messages?{query}")).wrong)


async def test_a_report_is_its_accounts_own(caller: Caller) -> None:
    """Another's key sees nothing of it, and none of these routes opens without one (C-7, C-8)."""
    await caller.sent(sms=[SMS])
    other = await caller.neighbour()

    assert [] == (await report(other, "account=demo")).json["data"]
    assert 1 == (await caller.operated("GET", "/messages"))["total"]
    assert 0 == (await caller.operated("GET", "/messages?account=neighbour"))["total"]
    assert (401, "unauthorized") == (await report(caller.using("wrong"))).refusal
    assert (401, "unauthorized") == (await caller.get("/admin/v1/messages")).refusal


def test_all_accounts_are_searched_by_time_alone() -> None:
    """There is no index for more, and a store may be large (D-79)."""
    search = MessageSearch(status=MessageStatus.FAILED)
    with pytest.raises(ValidationFailedError) as refusal:
        require_account(search, small=False)

    assert ["account"] == [each.field for each in refusal.value.problems]
    require_account(search, small=True)
    require_account(evolve(search, account_id="acc_tea"), small=False)
    require_account(MessageSearch(since=datetime(2031, 1, 1, tzinfo=UTC)), small=False)
