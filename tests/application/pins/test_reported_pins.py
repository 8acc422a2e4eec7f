"""Receipts of codes: recorded on the PIN's stream, shown with its channels (C-23)."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from tests.application.house import House, build_house
from tests.application.post_office import send
from tests.application.receipts import (
    DELIVERED,
    FAILED,
    NOON,
    READ,
    SENT,
    EarlyProvider,
    audited,
    parked,
    recorded_statuses,
    report,
    sealing,
    take_receipts,
)
from tests.fakes.providers import HesitantProvider, ScriptedProvider
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.ports.channels import Accepted, Message
from watchword.application.ports.event_store import DueKind
from watchword.application.records.message import MessageRow
from watchword.application.records.pin import VerificationRow
from watchword.domain.pin import PinStatus
from watchword.domain.receipt import ReceiptStatus

statuses = st.lists(st.sampled_from(ReceiptStatus), max_size=4)


async def shown(house: House, pin_id: str) -> object:
    """Return the receipt that the search of verifications shows for the first channel."""
    row = await house.store.row(VerificationRow, pin_id)
    assert row is not None
    return row.channels[0].get("receipt")


async def always_the_same(_: Message) -> Accepted:
    """Return the same id for every message, as no provider should."""
    return Accepted("42")


async def test_a_receipt_is_recorded_on_the_pins_stream() -> None:
    """The channel account is its actor; it is shown with the channel, and is no message."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    (handed,) = house.provider.messages
    before = await shown(house, pin_id)
    await take_receipts(house, handed, report(DELIVERED, "scripted-1"))
    (*_, recorded) = await house.store.read_stream(pin_id)

    assert before is None
    assert ("PinReported", handed.channel_account_id) == (recorded.type, recorded.actor)
    assert {"status": "delivered", "at": NOON.isoformat(), "error_code": None} == (
        await shown(house, pin_id)
    )
    assert None is await house.store.row(MessageRow, pin_id)


async def test_a_failure_moves_nothing() -> None:
    """The code can still be entered: the status is the PIN's, not its message's."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    await take_receipts(house, house.provider.messages[0], report(FAILED, "scripted-1", "absent"))

    verified = await house.service.verifying.verify(house.by, pin_id, house.code())
    assert PinStatus.VERIFIED == verified.status


async def test_a_receipt_of_a_code_that_was_replaced_is_recorded() -> None:
    """It has the replaced code's number; answers show the newest code's receipts."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    await house.service.resending.resend(house.by, pin_id, ResendRequest())
    first, second = house.provider.messages
    await take_receipts(house, first, report(READ, "scripted-1"))
    nothing_yet = await shown(house, pin_id)
    await take_receipts(house, second, report(SENT, "scripted-2"))

    assert nothing_yet is None
    assert ["read", "sent"] == await recorded_statuses(house, "PinReported")
    assert {"status": "sent", "at": NOON.isoformat(), "error_code": None} == (
        await shown(house, pin_id)
    )


async def test_a_receipt_of_a_superseded_pin_is_recorded() -> None:
    """It lost its live code, but not its provider ids."""
    house = await build_house()
    superseded = (await house.issue()).pin_id
    await house.issue()
    await take_receipts(house, house.provider.messages[0], report(DELIVERED, "scripted-1"))

    assert ["PinIssued", "PinDispatched", "PinSuperseded", "PinReported"] == (
        await house.story(superseded)
    )


async def test_a_receipt_that_came_before_the_outcome_is_matched_with_it() -> None:
    """Parked, and recorded behind the dispatch, in one append (C-22)."""
    early = EarlyProvider(report(SENT), report(DELIVERED))
    house = early.house = await build_house(ScriptedProvider(early))
    pin_id = (await house.issue()).pin_id
    (stream,) = await parked(house)

    assert ["PinIssued", "PinDispatched", "PinReported", "PinReported"] == await house.story(pin_id)
    assert ["ReceiptParked", "ReceiptParked", "ReceiptMatched"] == await house.story(stream)
    assert [] == await house.store.due(DueKind.PARKED_RECEIPT, NOON.replace(year=2032), 10)
    assert [] == await sealing(house)


async def test_an_early_receipt_and_a_rival_pin_are_met_in_one_send() -> None:
    """Parked receipt and rival PIN hold the id and the live code: both give way (D-12)."""
    house = await build_house()
    rival = (await house.issue()).pin_id
    early = EarlyProvider(report(DELIVERED))
    early.house = house
    house.provider.script = early
    pin_id = (await house.issue()).pin_id

    assert "PinSuperseded" == (await house.story(rival))[-1]
    assert ["PinIssued", "PinDispatched", "PinReported"] == await house.story(pin_id)


async def test_an_id_that_a_provider_gives_twice_stays_with_the_first() -> None:
    """The second PIN is sent and answered as usual, and gets no receipts (D-37)."""
    house = await build_house(ScriptedProvider(always_the_same))
    async with audited(house):
        first = (await house.issue()).pin_id
        request = IssueRequest(destination="+919812345611", template_id=house.template_id)
        second = await house.service.issuing.issue(house.by, request)
        await take_receipts(house, house.provider.messages[1], report(DELIVERED, "42"))

        assert "42" == second.channels[0].provider_message_id
        assert "PinReported" == (await house.story(first))[-1]
        assert ["PinIssued", "PinDispatched"] == await house.story(second.pin_id)


async def test_a_messages_id_is_not_a_codes() -> None:
    """The first holder keeps the id."""
    house = await build_house(ScriptedProvider(always_the_same))
    async with audited(house):
        (message,) = await send(house)
        pin_id = (await house.issue()).pin_id
        await take_receipts(house, house.provider.messages[1], report(DELIVERED, "42"))

        assert "MessageReported" == (await house.story(message.message_id))[-1]
        assert ["PinIssued", "PinDispatched"] == await house.story(pin_id)


async def test_a_receipt_that_comes_while_the_pin_moves_is_decided_again() -> None:
    """A guess that was faster costs the receipt nothing."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    code = house.code()
    house.store.meanwhile = lambda: house.other_node().verify(house.by, pin_id, code)
    await take_receipts(house, house.provider.messages[0], report(READ, "scripted-1"))

    assert ["PinVerified", "PinReported"] == (await house.story(pin_id))[-2:]


@given(before=statuses, during=statuses, after=statuses)
def test_every_receipt_counts_once_in_any_order(
    before: list[ReceiptStatus], during: list[ReceiptStatus], after: list[ReceiptStatus]
) -> None:
    """Before the outcome, beside it, after it: each is recorded once, and an audit agrees."""

    async def story() -> None:
        provider = HesitantProvider()
        house = await build_house(provider)
        async with audited(house):
            issuing = asyncio.create_task(house.issue())
            await provider.asked.wait()
            (handed,) = provider.messages

            async def bring(statuses: list[ReceiptStatus]) -> None:
                await asyncio.gather(
                    *(
                        take_receipts(house, handed, report(status, "at last"))
                        for status in statuses
                    )
                )

            await bring(before)
            provider.may_answer.set()
            await asyncio.gather(bring(during), issuing)
            await bring(after)

            assert sorted([*before, *during, *after]) == sorted(
                await recorded_statuses(house, "PinReported")
            )
            assert [] == await house.store.due(DueKind.PARKED_RECEIPT, NOON.replace(year=2032), 10)

    asyncio.run(story())
