"""Status and history of messages, for embedders (C-23, C-44)."""

from __future__ import annotations

from typing import Any

import pytest

import watchword
from watchword.application.messages.looking_up.views import FollowedMessage, UnknownMessage

PERSON = "+447700900123"
SMS: dict[str, Any] = {
    "sender": "TEAHSE",
    "recipient": PERSON,
    "type": "SI",
    "messageBody": "Your tea is ready.",
    "custRef1": {"CustomReference1": "pot-7"},
}
FALLBACK: dict[str, Any] = {
    "fallback_id": "demo",
    "fallback": True,
    "waittime": "60",
    "sms": {"sender": "TEATWO", "type": "SI", "messageBody": "Tea is ready."},
}


async def test_a_message_that_was_sent_can_be_followed(store_url: str) -> None:
    """Its status and the history are records in snake case, with its fallback."""
    async with watchword.open(store_url, sandbox=True) as service:
        sent = await service.messages.send("demo", sms=[SMS], fallback=FALLBACK)
        message_id = sent.messages[0].message_id
        found, unknown = await service.messages.status("demo", [message_id, "msg_none"])
        listed = await service.messages.history("demo", recipient="44 7700 900123", channel="sms")
        account = await service.accounts.get("demo")
        other_page = await service.messages.history(account, page_no=1, limit=1)

    assert isinstance(found, FollowedMessage)
    assert ("accepted", "outbound", {"CustomReference1": "pot-7"}) == (
        found.status,
        found.direction,
        found.cust_refs,
    )
    assert ["accepted"] == [line.status for line in found.events]
    assert found.fallback is not None
    assert (sent.messages[0].run_id, "armed") == (found.fallback.run_id, found.fallback.status)
    assert UnknownMessage(message_id="msg_none") == unknown
    assert [found] == list(listed)
    assert [] == list(other_page)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"channel": "fax"}, ["channel"]),
        ({"page_no": -1, "limit": "all"}, ["pageNo", "limit"]),
        ({"since": "soon", "channel": "fax"}, ["since", "channel"]),
    ],
)
async def test_wrong_arguments_of_a_history_are_named(
    wrong: dict[str, Any], named: list[str]
) -> None:
    """All at once."""
    async with watchword.open("memory://", sandbox=True) as service:
        with pytest.raises(watchword.DomainError) as refusal:
            await service.messages.history("demo", **wrong)

    fields: Any = refusal.value.details["fields"]
    assert named == [each["field"] for each in fields]


async def test_a_status_wants_one_to_a_hundred_ids() -> None:
    """The account must exist."""
    async with watchword.open("memory://", sandbox=True) as service:
        for ids in ([], ["msg_a"] * 101):
            with pytest.raises(watchword.DomainError) as refusal:
                await service.messages.status("demo", ids)

            assert "validation_failed" == refusal.value.code
        with pytest.raises(watchword.DomainError) as unknown:
            await service.messages.status("nobody", ["msg_a"])

    assert "account_not_found" == unknown.value.code


async def test_messages_are_searched_as_over_http(store_url: str) -> None:
    """With the filters in snake case, an account by its name or record, and a counted page (C-37)."""
    async with watchword.open(store_url, sandbox=True) as service:
        await service.messages.send("demo", sms=[SMS], campaign_name="spring")
        account = await service.accounts.get("demo")
        found = await service.messages.list(
            account, channel_type="sms", channel_name="sandbox sms", reference="pot-7"
        )
        none = await service.messages.list("demo", resource_type="legacy")
        with pytest.raises(watchword.DomainError):
            await service.messages.list("demo", status="lost")

    (reported,) = found.data
    assert (1, 0) == (found.total, none.total)
    assert ("sandbox sms", "api", "spring") == (
        reported.channel_name,
        reported.resource_type,
        reported.campaign,
    )
