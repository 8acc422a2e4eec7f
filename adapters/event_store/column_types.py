"""How columns keep texts, numbers and times, the same on every database (D-57)."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from sqlalchemy import BigInteger, Integer, String

# Everywhere compared and sorted by code points, and as wide: PostgreSQL would go by its locale.
TEXT = String().with_variant(String(collation="C"), "postgresql")
INTEGER = Integer().with_variant(BigInteger(), "postgresql")


@lru_cache(maxsize=1024)
def time_text(at: datetime) -> str:
    """Give a time in the one stored form, which sorts as text (UTC, microseconds)."""
    return at.isoformat(timespec="microseconds")
