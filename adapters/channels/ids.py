"""Ids, numbers and names that providers write, and that are stored."""

from __future__ import annotations

from ...domain.limits import UNSTORABLE, has_controls

LONGEST_ID = 256


def is_id(text: str) -> bool:
    """Return whether a text can be an id: it is one line of a bounded length, and stores can keep it."""
    return (
        0 < len(text) <= LONGEST_ID and not has_controls(text) and UNSTORABLE.search(text) is None
    )


def id_in(text: str | None) -> str | None:
    """Return the id that a text has between blanks; None if it has none."""
    found = (text or "").strip()
    return found if is_id(found) else None
