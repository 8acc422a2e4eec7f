"""The latest receipts that a process has heard, by channel account (C-66)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ...domain.receipt import ReceiptStatus


@frozen(kw_only=True)
class LastReceipt:
    """
    The latest receipt of a channel account, and when it was heard.

    `code` is the one that an event holds, so it quotes no number (C-100); None while the receipt is parked.
    """

    status: ReceiptStatus
    code: str | None = None
    at: datetime


class LastReceipts:
    """Remembers one receipt for each channel account; the records bound their number."""

    def __init__(self) -> None:
        self._heard: dict[str, LastReceipt] = {}

    def hear(self, channel_account_id: str, receipt: LastReceipt) -> None:
        """Remember a receipt that was recorded."""
        self._heard[channel_account_id] = receipt

    def of(self, channel_account_id: str) -> LastReceipt | None:
        """Return the latest one; None before the first."""
        return self._heard.get(channel_account_id)
