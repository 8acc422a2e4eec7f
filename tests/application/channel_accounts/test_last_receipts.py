"""The latest receipt of a channel account stands in its health (C-66)."""

from __future__ import annotations

from datetime import timedelta

from tests.application.house import build_house
from watchword.application.paging import Paging
from watchword.application.ports.channels import ProviderReport
from watchword.domain.receipt import Receipt, ReceiptStatus


async def test_the_latest_receipt_stands_in_the_health() -> None:
    """Also one for a message that is not known yet; accounts do not mix."""
    house = await build_house()
    accounts = (await house.service.channel_accounts.list(None, Paging(page_size=100))).data
    one, other = accounts[0], accounts[1]
    now = house.clock.now()
    for status in (ReceiptStatus.SENT, ReceiptStatus.FAILED):
        receipt = Receipt(status=status, error_code="gone", reported_at=now - timedelta(minutes=1))
        report = ProviderReport(provider_message_id=f"their-{status}", receipt=receipt)
        await house.service.tracking_receipts.track(one.id, report)
    health = (await house.service.channel_accounts.get(house.by, one.id)).health
    quiet = (await house.service.channel_accounts.get(house.by, other.id)).health

    assert health.last_receipt is not None
    assert (ReceiptStatus.FAILED, "gone", now) == (
        health.last_receipt.status,
        health.last_receipt.code,
        health.last_receipt.at,
    )
    assert quiet.last_receipt is None
