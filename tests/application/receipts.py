"""Reports of providers in tests, for the house's channel accounts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from tests.application.house import House
from watchword.application.audit.checking import Checking
from watchword.application.journal import Journal
from watchword.application.ports.channels import Accepted, Message, ProviderReport
from watchword.domain.receipt import Receipt, ReceiptStatus

SENT, DELIVERED, READ, FAILED = ReceiptStatus
PROVIDER_ID = "provider-7"
NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


def report(
    status: ReceiptStatus, provider_message_id: str = PROVIDER_ID, error_code: str | None = None
) -> ProviderReport:
    """Write a receipt."""
    receipt = Receipt(status=status, error_code=error_code, reported_at=NOON)
    return ProviderReport(provider_message_id=provider_message_id, receipt=receipt)


async def take_receipts(house: House, message: Message, *reports: ProviderReport) -> None:
    """Take receipts for the channel account that a message went out through."""
    for each in reports:
        await house.service.tracking_receipts.track(message.channel_account_id, each)


async def parked(house: House) -> list[str]:
    """Name the streams that receipts were parked on."""
    log = await house.store.read_log(0, 1000)
    return list(dict.fromkeys(each.stream for each in log if each.type == "ReceiptParked"))


async def sealing(house: House) -> list[str]:
    """Name the streams of parked receipts whose keys the store has."""
    return [each for each in await parked(house) if await house.store.seal_key(each)]


async def recorded_statuses(house: House, kind: str) -> list[str]:
    """Return the statuses of receipts in the order of their events of this name."""
    log = await house.store.read_log(0, 1000)
    return [str(each.event.status) for each in log if each.type == kind]  # type: ignore[attr-defined]  # every event of a receipt has one


class EarlyProvider:
    """A script whose provider reports before it answers."""

    def __init__(self, *early: ProviderReport, provider_message_id: str = PROVIDER_ID) -> None:
        self.house: House | None = None
        self._early = early
        self._id = provider_message_id

    async def __call__(self, message: Message) -> Accepted:
        """Take the receipts, then accept."""
        assert self.house is not None
        await take_receipts(self.house, message, *self._early)
        return Accepted(self._id)


@asynccontextmanager
async def audited(house: House) -> AsyncIterator[None]:
    """Compare lists and holders with a replay of the log, once the block is over."""
    yield
    checked = await Checking(Journal(house.store)).check()

    assert () == checked.differences
