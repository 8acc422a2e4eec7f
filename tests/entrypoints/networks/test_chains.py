"""A message through three networks: RCS that is revoked, SMS that is refused, and WhatsApp (C-20, C-50)."""

from __future__ import annotations

from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import (
    DEMO_FALLBACK_WA,
    DEMO_RCS,
    FALLBACK,
    FALLBACK_SMS,
)
from tests.entrypoints.networks.accounts import PUBLIC, account_of
from tests.entrypoints.networks.lines import smpp_line
from tests.entrypoints.networks.posting_lines import graph_line, rbm_line

STORES = ("sqlite",)
PERSON = "+4915112345610"
WRONG_NUMBER = 0x0B


async def test_three_networks_in_a_row(serving: Serving) -> None:
    """The phone is off for RCS, the SMSC refuses the number at once, and WhatsApp delivers."""
    async with (
        rbm_line() as google,
        smpp_line() as smsc,
        graph_line() as meta,
        serving(public_url=PUBLIC) as caller,
    ):
        smsc.smsc.answer = lambda submit: submit.respond(WRONG_NUMBER)
        await account_of(caller, "rcs", "rcs_business", google.config, google.sender)
        await account_of(caller, "sms", "smpp", smsc.config, smsc.sender)
        account = await account_of(caller, "whatsapp", "whatsapp_cloud", meta.config, meta.sender)
        (told,) = (
            await caller.sent(
                rcs=[{**DEMO_RCS, "recipient": PERSON, "sender": google.sender}],
                fallback={
                    **FALLBACK,
                    "fallback_id": "demo-two",
                    "sms": {**FALLBACK_SMS, "sender": smsc.sender},
                    "wa": {**DEMO_FALLBACK_WA, "sender": meta.sender},
                },
            )
        )["data"]
        before = (len(smsc.texts), len(meta.texts))
        await caller.advance(60)
        await meta.report(account)
        standing = await caller.standing(told["messageId"])
        events = await caller.events(told["fallbackRunId"])

    assert (0, 0) == before
    assert {google.rbm.newest} == google.rbm.google.revoked
    assert (1, 1) == (len(smsc.texts), len(meta.texts))
    assert ["accepted", "revoked"] == [each["status"] for each in standing["events"]]
    assert ["rejected", "delivered"] == [each["status"] for each in standing["fallback"]["steps"]]
    assert [(1, "deadline"), (2, "rejected")] == [
        (each["data"]["step"], each["data"]["reason"])
        for each in events
        if each["type"] == "FallbackTriggered"
    ]
