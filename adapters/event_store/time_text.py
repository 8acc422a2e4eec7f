"""How a time is kept: as a text, the same on every database (D-57)."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache


@lru_cache(maxsize=1024)
def time_text(at: datetime) -> str:
    """Give a time in the one stored form, which sorts as text (UTC, microseconds)."""
    return at.isoformat(timespec="microseconds")
