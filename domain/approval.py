"""The approval that a message template needs before messages may use it (SPEC 2.4, section 3)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

MAX_REASON = 1_000


class ApprovalStatus(StrEnum):
    """The status of a template's approval (SPEC 2.4); a draft is pending too (C-24)."""

    PENDING = "Pending"
    APPROVED = "Approved"
    REJECTED = "Rejected"


@frozen(kw_only=True)
class Review:
    """Approve or reject a template, with a reason; an operator does, or the provider (C-36)."""

    at: datetime
    reason: str | None = None
    by_provider: bool = False
