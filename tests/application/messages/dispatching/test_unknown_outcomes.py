"""A message with an unknown outcome waits for its deadline (C-68)."""

from __future__ import annotations

import pytest

from tests.application.house import House, build_house
from tests.application.post_office import WAIT, fallback, falls_back, send, work
from tests.application.receipts import DELIVERED, FAILED, NOON, SENT, audited, take_receipts
from tests.fakes.providers import HesitantProvider
from watchword.application.messages.sending_messages import SentMessage
from watchword.application.ports.channels import Message, ProviderReport, Unknown
from watchword.application.records.message import MessageRow
from watchword.domain.receipt import Receipt, ReceiptStatus


async def without_an_outcome() -> tuple[House, SentMessage, str]:
    """Send a message that falls back, whose provider says nothing; returns the id of its run, too."""
    house = await build_house(HesitantProvider(), provider_timeout=0.01)
    await falls_back(house)
    (sent,) = await send(house, fallback=fallback())
    assert sent.run_id is not None
    return house, sent, sent.run_id


async def standing(house: House, message_id: str) -> tuple[str, list[str]]:
    """Return a message's status, and its history in words."""
    row = await house.store.row(MessageRow, message_id)
    assert row is not None
    return row.status, [line.status for line in row.events]


async def report_by_reference(house: House, status: ReceiptStatus) -> None:
    """Make the provider report on the primary, which it knows by our reference."""
    primary = house.provider.messages[0]
    receipt = Receipt(status=status, reported_at=NOON)
    await take_receipts(
        house, primary, ProviderReport(reference=primary.reference, receipt=receipt)
    )


async def test_it_reads_rejected_and_its_history_says_unknown() -> None:
    """The answer and the status say `rejected`, as there is no better word on the wire."""
    house, sent, _ = await without_an_outcome()

    assert (False, "provider_timeout") == (sent.accepted, sent.error_code)
    assert ("rejected", ["unknown"]) == await standing(house, sent.message_id)


async def test_its_step_waits_for_the_deadline() -> None:
    """It may have arrived: nothing fires before, and at the deadline it is ended like any other."""
    house, sent, run = await without_an_outcome()
    async with audited(house):
        await work(house)
        before = await house.story(run)
        house.provider.script = None
        house.clock.move(WAIT)
        await work(house)

        assert ["FallbackArmed"] == before
        assert ["FallbackTriggered", "AttemptEnded", "FallbackFired"] == (await house.story(run))[
            1:4
        ]
        assert ("expired", ["unknown", "expired"]) == await standing(house, sent.message_id)


async def test_a_delivery_explains_it_and_the_step_is_not_needed() -> None:
    """A receipt that names our reference moves the status, and stands the run down."""
    house, sent, run = await without_an_outcome()
    async with audited(house):
        await report_by_reference(house, DELIVERED)

        assert ("delivered", ["unknown", "delivered"]) == await standing(house, sent.message_id)
        assert "FallbackStoodDown" == (await house.story(run))[-1]


async def test_a_failure_explains_it_and_the_step_fires_at_once() -> None:
    """The provider had taken it, and says that it did not arrive."""
    house, sent, run = await without_an_outcome()
    await report_by_reference(house, FAILED)

    assert ("failed", ["unknown", "failed"]) == await standing(house, sent.message_id)
    assert "FallbackTriggered" == (await house.story(run))[-1]


async def test_a_receipt_climbs_from_where_it_may_have_been() -> None:
    """`sent` is above unknown, and stays below later statuses."""
    house, sent, _ = await without_an_outcome()
    for status, words in ((SENT, "sent"), (DELIVERED, "delivered"), (SENT, "delivered")):
        await report_by_reference(house, status)
        assert words == (await standing(house, sent.message_id))[0]


async def test_a_receipt_that_is_faster_than_the_time_out_is_not_taken_back() -> None:
    """`sent` stays after the time-out."""
    house = await build_house()

    async def report_and_get_lost(message: Message) -> Unknown:
        receipt = Receipt(status=SENT, reported_at=NOON)
        await take_receipts(
            house, message, ProviderReport(reference=message.reference, receipt=receipt)
        )
        return Unknown()

    house.provider.script = report_and_get_lost
    (sent,) = await send(house)

    assert ("sent", ["sent", "unknown"]) == await standing(house, sent.message_id)


@pytest.mark.parametrize("reference", ["msg_nobody", "pin_nobody:1:sms", "run_7", "pin_1:x:sms"])
async def test_a_reference_that_is_nobodys_moves_nothing(reference: str) -> None:
    """Without an id the receipt is not parked either."""
    house, sent, _ = await without_an_outcome()
    receipt = Receipt(status=DELIVERED, reported_at=NOON)
    report = ProviderReport(reference=reference, receipt=receipt)
    await take_receipts(house, house.provider.messages[0], report)

    assert ("rejected", ["unknown"]) == await standing(house, sent.message_id)


async def test_a_reference_reaches_no_message_of_another_channel_account() -> None:
    """A report for one channel account cannot move a message that another account sent."""
    house, sent, _ = await without_an_outcome()
    receipt = Receipt(status=DELIVERED, reported_at=NOON)
    report = ProviderReport(reference=sent.message_id, receipt=receipt)
    await house.service.tracking_receipts.track("cha_of_another", report)

    assert ("rejected", ["unknown"]) == await standing(house, sent.message_id)


async def test_a_report_is_about_something() -> None:
    """An adapter whose report names neither id nor reference gets an error."""
    with pytest.raises(ValueError, match="names the provider's id, our reference, or both"):
        ProviderReport(receipt=Receipt(status=DELIVERED, reported_at=NOON))
