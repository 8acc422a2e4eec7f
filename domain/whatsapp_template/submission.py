"""The submission of a WhatsApp template to the provider that reviews it (C-99)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import attrs
from attrs import frozen


class SubmissionStatus(StrEnum):
    """The stage of a submission."""

    WAITING = "waiting"
    SUBMITTED = "submitted"
    ENDED = "ended"


@frozen(kw_only=True)
class Submission:
    """
    The submission of a template through one channel account.

    `due_at` is the time of the next attempt; None once the provider has the template, or no attempt
    follows. While an attempt is `under_way`, it is the time at which the attempt counts as lost. `code`
    and `reason` are those of the last attempt that failed. `category` is the provider's, which may
    differ from the author's (D-286).
    """

    channel_account_id: str
    status: SubmissionStatus = SubmissionStatus.WAITING
    requested_at: datetime
    attempts: int = 0
    under_way: bool = False
    due_at: datetime | None
    code: str | None = None
    reason: str | None = None
    provider_template_id: str | None = None
    category: str | None = None

    def is_under_way(self, at: datetime) -> bool:
        """Return whether an attempt is being made that has not been lost."""
        return self.under_way and self.due_at is not None and at < self.due_at

    def closed(self, status: SubmissionStatus) -> Submission:
        """Return the submission without a further attempt."""
        return attrs.evolve(self, status=status, under_way=False, due_at=None)
