"""Receipts: a provider's later reports on a message that it accepted (C-22, C-34)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

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


def provider_message(channel_account_id: str, provider_message_id: str) -> str:
    """Return the subject of a provider's id; the message, or the receipts parked for it, holds it."""
    return f"provider-message:{channel_account_id}:{provider_message_id}"
