"""Receipts: a provider's later reports on a message that it accepted (C-22, C-34)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from attrs import frozen

from .personal_subjects import PROVIDER_MESSAGE
from .price import Price


class ReceiptStatus(StrEnum):
    """The statuses that a receipt can report."""

    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"

    @property
    def arrived(self) -> bool:
        """Whether the recipient has the message. READ implies DELIVERED (C-50)."""
        return self in (ReceiptStatus.DELIVERED, ReceiptStatus.READ)


@frozen(kw_only=True)
class Receipt:
    """
    One report on one message.

    `reported_at` is the provider's time of the event, or the time of arrival if the provider sends
    none. `segments` and `price` are those that the provider counts, where it says so (C-72).
    """

    status: ReceiptStatus
    error_code: str | None = None
    reported_at: datetime
    segments: int | None = None
    price: Price | None = None


class RecordedReceipt(Protocol):
    """An event with the facts of a receipt."""

    @property
    def status(self) -> ReceiptStatus:
        """The status that was reported."""
        ...

    @property
    def error_code(self) -> str | None:
        """The provider's code of a failure."""
        ...

    @property
    def reported_at(self) -> datetime:
        """The provider's time."""
        ...

    @property
    def segments(self) -> int | None:
        """The number of SMS that the provider counts."""
        ...

    @property
    def price(self) -> Price | None:
        """The price that the provider counts."""
        ...


def receipt_in(event: RecordedReceipt) -> Receipt:
    """Return the receipt that an event records."""
    return Receipt(
        status=event.status,
        error_code=event.error_code,
        reported_at=event.reported_at,
        segments=event.segments,
        price=event.price,
    )


def provider_message(channel_account_id: str, provider_message_id: str) -> str:
    """Return the subject of a provider's id; the message, or the receipts parked for it, holds it."""
    return f"{PROVIDER_MESSAGE}{channel_account_id}:{provider_message_id}"
