"""Meta's words for the status of a template, and what they decide (C-36, C-99)."""

from __future__ import annotations

_APPROVING = frozenset({"APPROVED", "REINSTATED", "UNARCHIVED"})
_REJECTING = frozenset({"REJECTED", "PAUSED", "DISABLED", "ARCHIVED", "DELETED"})
# Meta's word for a reason that it does not give.
_NO_REASON = "NONE"


def decides(word: str) -> bool | None:
    """Return whether a word allows sends, or forbids them; None for one that decides nothing."""
    if word in _APPROVING:
        return True
    return False if word in _REJECTING else None


def given_reason(reason: str | None) -> str | None:
    """Return a reason; None for Meta's word that there is none."""
    return None if not reason or reason == _NO_REASON else reason
