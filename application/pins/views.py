"""The views of PINs and PIN templates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import attrs
from attrs import field, frozen

from ...domain.pin import PinStatus
from ...domain.pin_template import PinTemplate, TemplateChannel, TemplateStatus
from ...domain.pin_template.guessing import Finding, guessing
from ...domain.pin_template.pin_type import PinType
from ...domain.pin_template.policy import VerificationReceipt
from ...domain.pin_template.sms_findings import sms_findings
from ...domain.rate_limit import Duration, Rate
from ..records.pin import VerificationRow

# The fields shown of a channel's outcome, of its attempts (C-69), and of its receipt.
_OUTCOME = (
    "channel",
    "channel_account_id",
    "status",
    "provider_message_id",
    "error_code",
    "error_message",
)
_TRIED = ("channel_account_id", "status", "code")
_RECEIPT = ("status", "at", "error_code")


@frozen(kw_only=True)
class VerificationView:
    """
    A PIN at a moment: a pending one past `expires_at` is expired (C-15).

    `destination` is as given. `channels` are the outcomes of its newest code, each with its receipt, if
    one came. `test` says that this code was made for a test destination.
    """

    pin_id: str
    account_id: str
    template_id: str
    destination: str = field(repr=False)
    reference_id: str | None = field(repr=False)
    test: bool
    created_at: datetime
    status: str
    attempts_remaining: int
    expires_at: datetime
    updated_at: datetime
    superseded_by: str | None
    channels: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, row: VerificationRow, now: datetime) -> VerificationView:
        """Return the view of a row at a time."""
        expired = row.status == PinStatus.PENDING and row.expires_at <= now
        return cls(
            pin_id=row.pin_id,
            account_id=row.account_id,
            template_id=row.template_id,
            destination=row.destination,
            reference_id=row.reference_id,
            test=row.test,
            created_at=row.created_at,
            status=str(PinStatus.EXPIRED) if expired else row.status,
            attempts_remaining=row.attempts_remaining,
            expires_at=row.expires_at,
            updated_at=row.updated_at,
            superseded_by=row.superseded_by,
            channels=tuple(_outcome(each) for each in row.channels),
        )


@frozen(kw_only=True)
class PinTemplateView:
    """A PIN template (SPEC 2.8); `findings` follow from its limits and its texts (D-147, C-87)."""

    id: str
    name: str
    status: TemplateStatus
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime
    created_by: str
    updated_by: str
    pin_length: int
    pin_type: PinType
    pin_attempts: int
    pin_time_to_live: Duration
    verify_pin_limit: Rate
    send_pin_per_template_limit: Rate
    send_pin_per_phone_number_limit: Rate
    resend_cooldown: Duration
    receipt: VerificationReceipt | None
    channels: tuple[TemplateChannel, ...]
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, template_id: str, template: PinTemplate) -> PinTemplateView:
        """Return the view of a template."""
        return cls(
            id=template_id,
            name=template.name,
            status=template.status,
            archived_at=template.archived_at,
            created_at=template.created_at,
            updated_at=template.updated_at,
            created_by=template.created_by,
            updated_by=template.updated_by,
            **attrs.asdict(template.policy, recurse=False),
            channels=template.channels,
            findings=(
                *guessing(template.policy),
                *sms_findings(template.policy, template.channels),
            ),
        )


def _outcome(kept: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: kept[name] for name in _OUTCOME if name in kept}
    if "tried" in kept:
        shown["tried"] = [{name: each[name] for name in _TRIED} for each in kept["tried"]]
    if "receipt" in kept:
        shown["receipt"] = {name: kept["receipt"][name] for name in _RECEIPT}
    return shown
