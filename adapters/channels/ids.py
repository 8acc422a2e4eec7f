"""Ids, numbers and names that providers write, and that are stored."""

from __future__ import annotations

from ...domain.limits import UNSTORABLE, has_controls

_LONGEST = 256


def id_in(found: object) -> str | None:
    """
    Return the id that a text has between blanks; None if it has none.

    An id is one line of a bounded length, and stores can keep it. Answers and receipts are read alike, so
    that a receipt finds its message.
    """
    text = found.strip() if isinstance(found, str) else ""
    if not 1 <= len(text) <= _LONGEST or has_controls(text) or UNSTORABLE.search(text):
        return None
    return text
