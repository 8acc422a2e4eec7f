"""Recording a message's outcome: earlier receipts, and ids that come twice."""

from __future__ import annotations

from tests.application.house import House, build_house
from tests.application.post_office import fallback, falls_back, send, work
from tests.fakes.providers import ScriptedProvider
from watchword.application.journal import beginning
from watchword.application.ports.channels import Accepted, Message
from watchword.application.ports.event_store import Due, DueKind
from watchword.domain import parked_receipt
from watchword.domain.message import MessageStatus, message_decider
from watchword.domain.parked_receipt import ParkReceipt, parked_receipt_decider
from watchword.domain.receipt import Receipt, ReceiptStatus


async def park(house: House, channel_account_id: str, status: ReceiptStatus) -> None:
    """Take a receipt for the message `provider-1` before any message has this id."""
    now = house.clock.now()
    decision = parked_receipt.park(
        ParkReceipt(
            at=now,
            parked_id="rcp_early",
            channel_account_id=channel_account_id,
            provider_message_id="provider-1",
            receipt=Receipt(status=status, reported_at=now),
        )
    )
    await house.service.journal.write(
        house.by,
        now,
        beginning(parked_receipt_decider, "rcp_early", decision),
        due=(Due(DueKind.PARKED_RECEIPT, "rcp_early", 1, now),),
    )


async def faster(status: ReceiptStatus) -> House:
    """Build a house whose provider reports on its first message before it has taken it."""

    async def report_first(sent: Message) -> Accepted:
        if len(house.provider.messages) == 1:
            await park(house, sent.channel_account_id, status)
        return Accepted(f"provider-{len(house.provider.messages)}")

    house = await build_house(ScriptedProvider(report_first))
    await falls_back(house)
    return house


async def test_a_receipt_that_was_faster_counts() -> None:
    """It is taken in with the outcome, once, and waits no more (C-22)."""
    house = await faster(ReceiptStatus.DELIVERED)
    (sent,) = await send(house)

    message = await house.service.journal.load(message_decider, sent.message_id)
    assert MessageStatus.DELIVERED is message.state.status
    assert ["ReceiptParked", "ReceiptMatched"] == await house.story("rcp_early")
    until = house.clock.now()
    assert [] == list(await house.store.due(DueKind.PARKED_RECEIPT, until, 10))


async def test_a_delivery_that_was_faster_stands_the_run_down() -> None:
    """The same append stands it down, so no deadline can come in between."""
    house = await faster(ReceiptStatus.DELIVERED)
    (sent,) = await send(house, fallback=fallback())
    house.clock.move(3600)
    await work(house)

    assert ["FallbackArmed", "FallbackStoodDown"] == await house.story(str(sent.run_id))
    assert 1 == len(house.provider.messages)


async def test_a_failure_that_was_faster_fires_at_once() -> None:
    """The run does not wait for its deadline (C-20)."""
    house = await faster(ReceiptStatus.FAILED)
    await send(house, fallback=fallback())
    await work(house)

    assert 2 == len(house.provider.messages)


async def test_an_id_that_a_provider_gives_twice_is_left_out() -> None:
    """The first message gets the receipts; the second is recorded without the id (D-37)."""

    async def forgetful(_: Message) -> Accepted:
        return Accepted("provider-1")

    house = await build_house(ScriptedProvider(forgetful))
    (first,) = await send(house)
    (second,) = await send(house)

    named = [
        (await house.service.journal.load(message_decider, each.message_id)).state.known_as
        for each in (first, second)
    ]
    assert named[0] is not None
    assert named[1] is None
    assert second.accepted


async def test_a_lost_race_is_decided_again() -> None:
    """The outcome is recorded on the next try."""
    house = await build_house()

    async def lose(_: Message) -> Accepted:
        house.store.races = 3
        return Accepted("provider-1")

    house.provider.script = lose
    (sent,) = await send(house)

    assert ["MessageSubmitted", "MessageDispatched"] == await house.story(sent.message_id)
