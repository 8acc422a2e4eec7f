"""What callers see of a PIN that was looked up."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from ...domain.pin import PinStatus
from ..records.pin import VerificationRow

# What is shown of a channel's outcome, and of the receipt in it.
_OUTCOME = (
    "channel",
    "channel_account_id",
    "status",
    "provider_message_id",
    "error_code",
    "error_message",
)
_RECEIPT = ("status", "at", "error_code")


@frozen(kw_only=True)
class VerificationView:
    """
    A PIN as of a moment: a pending one past `expires_at` is expired (C-15).

    `destination` is as given. `channels` are the outcomes of its newest code, each with the receipt
    that came for it, if any.
    """

    pin_id: str
    account_id: str
    template_id: str
    destination: str = field(repr=False)
    reference_id: str | None = field(repr=False)
    created_at: datetime
    status: str
    attempts_remaining: int
    expires_at: datetime
    updated_at: datetime
    superseded_by: str | None
    channels: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, row: VerificationRow, now: datetime) -> VerificationView:
        """Return what callers see of a row now."""
        expired = row.status == PinStatus.PENDING and row.expires_at <= now
        return cls(
            pin_id=row.pin_id,
            account_id=row.account_id,
            template_id=row.template_id,
            destination=row.destination,
            reference_id=row.reference_id,
            created_at=row.created_at,
            status=str(PinStatus.EXPIRED) if expired else row.status,
            attempts_remaining=row.attempts_remaining,
            expires_at=row.expires_at,
            updated_at=row.updated_at,
            superseded_by=row.superseded_by,
            channels=tuple(_outcome(each) for each in row.channels),
        )


def _outcome(kept: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: kept[name] for name in _OUTCOME if name in kept}
    if "receipt" in kept:
        shown["receipt"] = {name: kept["receipt"][name] for name in _RECEIPT}
    return shown
