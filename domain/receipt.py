"""Receipts: what a provider reports, later, of a message that it took (C-22, C-34)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen


class ReceiptStatus(StrEnum):
    """What a receipt can say."""

    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"

    @property
    def arrived(self) -> bool:
        """Whether the recipient has the message; READ without DELIVERED says so too (C-50)."""
        return self in (ReceiptStatus.DELIVERED, ReceiptStatus.READ)


@frozen(kw_only=True)
class Receipt:
    """
    One report on one message.

    `reported_at` is when it happened by the provider's account, or when the report came in where
    the provider does not say.
    """

    status: ReceiptStatus
    error_code: str | None = None
    reported_at: datetime


def provider_message(channel_account_id: str, provider_message_id: str) -> str:
    """Name what only one may hold: the message behind a provider's id, or the receipts parked for it."""
    return f"provider-message:{channel_account_id}:{provider_message_id}"
