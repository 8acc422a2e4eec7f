"""B1: which of the account's channel accounts a message goes out through (SPEC 2.6, C-40, C-49)."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.message_templates.creating_rcs import created, review
from tests.entrypoints.messaging.sends import DEMO_RCS, DEMO_WA, RECIPIENT, SMS

ENTRIES: dict[str, dict[str, Any]] = {"sms": SMS, "wa": DEMO_WA, "rcs": DEMO_RCS}


async def contract(
    caller: Caller, channel: str, sender: str | None = None, **config: str
) -> dict[str, Any]:
    """Make another channel account of the demo account."""
    body = {"name": "another", "channelType": channel, "provider": "sandbox", "config": config}
    made: dict[str, Any] = await caller.operated(
        "POST", "/channel-accounts", body if sender is None else {**body, "sender": sender}
    )
    return made


async def greets(caller: Caller, channel: str, sender: str) -> None:
    """Have the demo's template under another sender, too: on RCS it is the sender's (C-49)."""
    if channel == "rcs":
        text = "Hello [name], your order [order] is on its way."
        greeting = {"name": "demo", "type": "text_message", "textMessageContent": text}
        await created(caller, greeting, sender_profile_name=sender)
        await review(caller, "approve", "demo", senderProfile=sender)


async def took(caller: Caller) -> list[str]:
    """Name the channel accounts that accepted messages, the last one last."""
    return [each["channelAccountId"] for each in await caller.outbox()]


@pytest.mark.parametrize("channel", ENTRIES)
async def test_the_senders_own_is_used(caller: Caller, channel: str) -> None:
    """Its `outcome` decides, and no other sender's message is affected."""
    await contract(caller, channel, "moody", outcome="rejected")
    await greets(caller, channel, "moody")
    entry = ENTRIES[channel]
    body = await caller.sent(**{channel: [{**entry, "sender": "moody"}, entry]})

    assert [("rejected", "sandbox_rejected"), ("accepted", None)] == [
        (each["status"], each.get("errorCode")) for each in body["data"]
    ]


@pytest.mark.parametrize("channel", ENTRIES)
async def test_without_its_own_the_first_is_used(caller: Caller, channel: str) -> None:
    """The oldest one, not the newest."""
    await caller.sent(**{channel: [ENTRIES[channel]]})
    own = await contract(caller, channel, "own")
    for sender in ("own", "nobody's"):
        await greets(caller, channel, sender)
        await caller.sent(**{channel: [{**ENTRIES[channel], "sender": sender}]})
    first, senders_own, default = await took(caller)

    assert own["id"] == senders_own
    assert first == default != own["id"]


async def test_a_mirror_hears_its_own_channel_account(caller: Caller) -> None:
    """Messages of other channel accounts are not sent there (C-39)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mirror:
        mirror.bind(("127.0.0.1", 0))
        mirror.settimeout(5)
        url = f"udp://127.0.0.1:{mirror.getsockname()[1]}"
        await contract(caller, "sms", "own", mirror=url)
        await caller.sent(sms=[{**SMS, "messageBody": "not this"}])
        await caller.sent(sms=[{**SMS, "sender": "own"}])
        heard = mirror.recv(1000).decode()

    assert f"{RECIPIENT} {SMS['messageBody']}" == heard


@pytest.mark.parametrize("pool", ["7", "pool_7f3a-eu", "Küche, Pool №7", "x" * 64])
async def test_a_whatsapp_sender_may_be_a_pool(caller: Caller, pool: str) -> None:
    """Any text of 1 to 64 characters (SPEC 2.6): it picks as a number does, known or not."""
    own = await contract(caller, "wa", pool)
    await caller.sent(wa=[{**DEMO_WA, "sender": pool}])
    await caller.sent(wa=[{**DEMO_WA, "sender": f"not {pool}"[:64]}])
    known, unknown = await caller.outbox()

    assert (pool, own["id"]) == (known["sender"], known["channelAccountId"])
    assert own["id"] != unknown["channelAccountId"]


async def test_a_whatsapp_sender_has_a_limit(caller: Caller) -> None:
    """One character more is named (SPEC 2.6)."""
    assert ["wa[0].sender"] == (await caller.send(wa=[{**DEMO_WA, "sender": "x" * 65}])).wrong
