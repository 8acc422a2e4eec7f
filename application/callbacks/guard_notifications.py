"""The notifications of what the guard refused and flagged (C-53, C-102)."""

from __future__ import annotations

from ...domain.callback_endpoint import CallbackType
from ...domain.guard import CountedDecision, Verdict
from .notification import Notification, Transition

_TYPES = {
    Verdict.REFUSED: CallbackType.GUARD_REFUSED,
    Verdict.FLAGGED: CallbackType.GUARD_FLAGGED,
}


def counted(transition: Transition) -> Notification:
    """Notify of a count: of what a rule refused of a subject in a minute, or only flagged."""
    decision: CountedDecision = transition.after
    return Notification(
        _TYPES[decision.verdict],
        {
            "account_id": decision.account_id,
            "rule": str(decision.rule),
            "subject": decision.subject,
            "since": decision.since,
            "until": decision.until,
            "count": decision.count,
        },
    )
