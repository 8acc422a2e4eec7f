"""Inbound messages are recorded once, however often they are reported (C-59, D-37)."""

from __future__ import annotations

import asyncio

from tests.application.house import House, build_house
from tests.application.post_office import RECIPIENT, send, session
from tests.application.receipts import SENT, audited, report
from watchword.application.channel_accounts.views import ChannelAccountView
from watchword.application.paging import Paging
from watchword.application.ports.channels import InboundMessage
from watchword.application.records.message import MessageRow
from watchword.domain.channel import Channel

NOTE = InboundMessage(
    provider_message_id="note-1", sender=RECIPIENT, recipient="TEAHSE", text="Is it ready?"
)


async def whatsapp(house: House) -> ChannelAccountView:
    """Return the house's channel account for WhatsApp."""
    accounts = house.service.channel_accounts
    return (await accounts.list(house.by.account_id, Paging(), Channel.WHATSAPP)).data[0]


async def receive(house: House, note: InboundMessage = NOTE) -> str:
    """Receive a message on WhatsApp."""
    return await house.service.receiving_messages.receive((await whatsapp(house)).id, note)


async def test_a_message_is_recorded_for_the_channel_accounts_owner() -> None:
    """The channel account is its actor; the history has it, without its text."""
    house = await build_house()
    message_id = await receive(house)
    (recorded,) = await house.store.read_stream(message_id)
    row = await house.store.row(MessageRow, message_id)

    assert ("MessageReceived", (await whatsapp(house)).id) == (recorded.type, recorded.actor)
    assert row is not None
    assert (house.by.account_id, "inbound", "whatsapp", "received", RECIPIENT, "TEAHSE") == (
        row.account_id,
        row.direction,
        row.channel,
        row.status,
        row.sender,
        row.recipient,
    )


async def test_a_message_that_is_reported_twice_is_heard_once() -> None:
    """At once, or later: the same id is given again."""
    house = await build_house()
    async with audited(house):
        first, beside = await asyncio.gather(receive(house), receive(house))

        assert first == beside == await receive(house)
        assert ["MessageReceived"] == await house.story(first)


async def test_messages_without_an_id_are_all_heard() -> None:
    """Each is recorded, because they cannot be compared."""
    house = await build_house()
    note = InboundMessage(sender=RECIPIENT, recipient="TEAHSE", text="Hello?")

    assert await receive(house, note) != await receive(house, note)


async def test_a_receipt_under_its_id_costs_no_message() -> None:
    """The receipt waits for another message; this one is recorded without the id."""
    house = await build_house()
    async with audited(house):
        account = await whatsapp(house)
        await house.service.tracking_receipts.track(account.id, report(SENT, "note-1"))
        message_id = await receive(house)

        assert ["MessageReceived"] == await house.story(message_id)


async def test_a_receipt_for_an_inbound_message_says_nothing() -> None:
    """It is no message of ours that could have arrived anywhere."""
    house = await build_house()
    message_id = await receive(house)
    account = await whatsapp(house)
    await house.service.tracking_receipts.track(account.id, report(SENT, "note-1"))

    assert ["MessageReceived"] == await house.story(message_id)


async def test_an_inbound_message_opens_the_session() -> None:
    """Session messages are allowed for 24 hours after it (C-26)."""
    house = await build_house()
    (before,) = await send(house, session())
    await receive(house)
    (after,) = await send(house, session())

    assert "session_expired" == before.error_code
    assert after.accepted
