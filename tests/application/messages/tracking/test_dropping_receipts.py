"""Receipts without a message wait for 24 hours, and no longer (C-22)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from tests.application.house import House, build_house
from tests.application.post_office import send
from tests.application.receipts import (
    DELIVERED,
    PROVIDER_ID,
    SENT,
    audited,
    parked,
    recorded_statuses,
    report,
    sealing,
    take_receipts,
)
from tests.fakes.providers import HesitantProvider
from watchword.application.audit.checking import Checking
from watchword.application.due_work import DueWork
from watchword.application.journal import Journal
from watchword.application.messages.tracking.dropping_receipts import DroppingReceipts
from watchword.application.ports.event_store import Append, DueKind
from watchword.application.ports.sealer import CODE_KEY_LOST
from watchword.domain.event import ERASED
from watchword.domain.parked_receipt import ReceiptParked
from watchword.domain.receipt import provider_message

DAY = timedelta(hours=24).total_seconds()


def dropping(house: House) -> DueWork:
    """Return the work on parked receipts, as the service is wired with it."""
    return next(each for each in house.service.due_work if isinstance(each, DroppingReceipts))


async def with_a_parked_receipt() -> House:
    """Park a receipt at noon."""
    house = await build_house()
    await send(house)
    await take_receipts(house, house.provider.messages[0], report(SENT))
    return house


async def test_a_receipt_is_dropped_after_a_day() -> None:
    """Not a moment before, once, and in the worker's name."""
    house = await with_a_parked_receipt()
    async with audited(house):
        house.clock.move(DAY - 1)
        early = await dropping(house).run_due()
        house.clock.move(1)
        late = await dropping(house).run_due(), await dropping(house).run_due()
        (stream,) = await parked(house)
        (*_, dropped) = await house.store.read_stream(stream)

        assert 0 == early
        assert (1, 0) == late
        assert ("ReceiptDropped", "worker") == (dropped.type, dropped.actor)


async def test_their_key_goes_with_the_receipts() -> None:
    """Nothing opens what the provider said any more; the rest of the history stays (D-358)."""
    house = await with_a_parked_receipt()
    streams = await parked(house)
    before = await sealing(house)
    house.clock.move(DAY)
    async with audited(house):
        await dropping(house).run_due()
    (received, _) = await house.store.read_stream(streams[0])

    assert (streams, []) == (before, await sealing(house))
    assert isinstance(received.event, ReceiptParked)
    assert (ERASED, SENT) == (received.event.provider_message_id, received.event.status)


async def test_an_audit_names_a_key_that_outlives_its_receipts() -> None:
    """It would open them after an erasure."""
    house = await with_a_parked_receipt()
    (stream,) = await parked(house)
    key = await house.store.seal_key(stream)
    assert key is not None
    house.clock.move(DAY)
    await dropping(house).run_due()
    await house.store.append(Append(at=house.clock.now(), actor="", request_id="", keeping=(key,)))
    checked = await Checking(Journal(house.store)).check()

    assert [("Seal key", stream, "none")] == [
        (each.what, each.id, each.expected) for each in checked.differences
    ]


async def test_a_receipt_never_joins_those_that_were_dropped_meanwhile() -> None:
    """It gets a stream of its own, with a key of its own: one stream never has two."""
    house = await with_a_parked_receipt()
    house.clock.move(DAY)
    async with audited(house):
        house.store.meanwhile = dropping(house).run_due
        await take_receipts(house, house.provider.messages[0], report(DELIVERED))
    dropped, waiting = await parked(house)

    assert ["ReceiptParked", "ReceiptDropped"] == await house.story(dropped)
    assert ["ReceiptParked"] == await house.story(waiting)
    assert [waiting] == await sealing(house)


async def test_a_receipt_does_not_wait_for_a_lost_key() -> None:
    """After the loss of a code key the id has a new stream, though older receipts still wait (D-314)."""
    house = await with_a_parked_receipt()
    (lost,) = await parked(house)
    nothing = Append(at=house.clock.now(), actor="", request_id="", dropping=(lost,))
    await house.store.append(nothing)
    await house.store.keep_setting(CODE_KEY_LOST, "1")
    async with audited(house):
        await take_receipts(house, house.provider.messages[0], report(DELIVERED))
    holder = await house.store.holders(
        provider_message(house.provider.messages[0].channel_account_id, PROVIDER_ID)
    )
    async with audited(house):
        house.clock.move(DAY)
        await dropping(house).run_due()

    assert [lost, *holder] == await parked(house)
    assert ["ReceiptParked", "ReceiptDropped"] == await house.story(lost)


async def test_it_goes_by_the_services_clock() -> None:
    """The sandbox can move this clock (C-39)."""
    house = await with_a_parked_receipt()
    house.clock.move_real(2 * DAY)

    assert 0 == await dropping(house).run_due()


async def test_a_later_receipt_keeps_those_before_it() -> None:
    """The stream waits for the newest of them."""
    house = await with_a_parked_receipt()
    house.clock.move(DAY - 1)
    await take_receipts(house, house.provider.messages[0], report(DELIVERED))
    house.clock.move(DAY - 1)
    before = await dropping(house).run_due()
    house.clock.move(1)

    assert 0 == before
    assert 1 == await dropping(house).run_due()


async def test_a_receipt_that_comes_in_that_moment_is_not_dropped() -> None:
    """A receipt that is parked between look and append starts a new day for all of them."""
    house = await with_a_parked_receipt()
    handed = house.provider.messages[0]
    house.clock.move(DAY)
    house.store.meanwhile = lambda: take_receipts(house, handed, report(DELIVERED))
    await dropping(house).run_due()
    (stream,) = await parked(house)
    (due,) = await house.store.due(DueKind.PARKED_RECEIPT, house.clock.now() + timedelta(days=2), 9)

    assert ["ReceiptParked", "ReceiptParked"] == await house.story(stream)
    assert house.clock.now() + timedelta(days=1) == due.at


async def test_after_the_day_the_id_is_free() -> None:
    """A later message gets the id, and none of the dropped receipts."""
    provider = HesitantProvider()
    house = await build_house(provider)
    async with audited(house):
        sending = asyncio.create_task(send(house))
        await provider.asked.wait()
        await take_receipts(house, provider.messages[0], report(SENT, "at last"))
        house.clock.move(DAY)
        await dropping(house).run_due()
        provider.may_answer.set()
        (sent,) = await sending
        await take_receipts(house, provider.messages[0], report(DELIVERED, "at last"))

        assert ["delivered"] == await recorded_statuses(house, "MessageReported")
        assert "MessageReported" == (await house.story(sent.message_id))[-1]


async def test_matched_receipts_leave_nothing_due() -> None:
    """The message that took the receipts took their due row, too, and nothing is left of their key."""
    provider = HesitantProvider()
    house = await build_house(provider)
    sending = asyncio.create_task(send(house))
    await provider.asked.wait()
    await take_receipts(house, provider.messages[0], report(SENT, "at last"))
    provider.may_answer.set()
    await sending
    house.clock.move(2 * DAY)

    assert [] == await sealing(house)

    assert 0 == await dropping(house).run_due()
