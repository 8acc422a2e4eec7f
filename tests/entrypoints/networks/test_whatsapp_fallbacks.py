"""Fallback from WhatsApp to SMS over real adapters: nobody can take a WhatsApp message back (C-20)."""

from __future__ import annotations

from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import DEMO_WA, FALLBACK, FALLBACK_SMS
from tests.entrypoints.networks.accounts import PUBLIC, account_of
from tests.entrypoints.networks.posting_lines import gateway_line, graph_line

STORES = ("sqlite",)
PERSON = "+4915112345610"


async def test_both_arrive_if_whatsapp_is_late(serving: Serving) -> None:
    """The SMS follows at the deadline; the report that comes later is recorded, and the run says why."""
    async with (
        graph_line() as meta,
        gateway_line() as gateway,
        serving(public_url=PUBLIC) as caller,
    ):
        account = await account_of(caller, meta.channel, meta.provider, meta.config, meta.sender)
        await account_of(caller, "sms", "http", gateway.config, gateway.sender)
        (told,) = (
            await caller.sent(
                wa=[{**DEMO_WA, "recipient": [PERSON], "sender": meta.sender}],
                fallback={**FALLBACK, "sms": {**FALLBACK_SMS, "sender": gateway.sender}},
            )
        )["data"]
        await caller.advance(59)
        early = list(gateway.texts)
        await caller.advance(1)
        await meta.report(account)
        standing = await caller.standing(told["messageId"])
        events = await caller.events(told["fallbackRunId"])

    assert [] == early
    assert [FALLBACK_SMS["messageBody"]] == gateway.texts
    assert ["not_revoked"] == [e["data"]["outcome"] for e in events if e["type"] == "AttemptEnded"]
    assert ["accepted", "expired", "delivered"] == [each["status"] for each in standing["events"]]
    assert ("fired", ["accepted"]) == (
        standing["fallback"]["status"],
        [each["status"] for each in standing["fallback"]["steps"]],
    )


async def test_a_delivery_in_time_stands_the_fallback_down(serving: Serving) -> None:
    """Meta's report stops the SMS."""
    async with (
        graph_line() as meta,
        gateway_line() as gateway,
        serving(public_url=PUBLIC) as caller,
    ):
        account = await account_of(caller, meta.channel, meta.provider, meta.config, meta.sender)
        await account_of(caller, "sms", "http", gateway.config, gateway.sender)
        (told,) = (
            await caller.sent(
                wa=[{**DEMO_WA, "recipient": [PERSON], "sender": meta.sender}],
                fallback={**FALLBACK, "sms": {**FALLBACK_SMS, "sender": gateway.sender}},
            )
        )["data"]
        await meta.report(account)
        await caller.advance(60)

        assert [] == gateway.texts
        assert ["FallbackArmed", "FallbackStoodDown"] == await caller.story(told["fallbackRunId"])
