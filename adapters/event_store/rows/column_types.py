"""How columns keep texts and numbers, the same on every database (D-57)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, String

# Everywhere compared and sorted by code points, and as wide: PostgreSQL would go by its locale.
TEXT = String().with_variant(String(collation="C"), "postgresql")
INTEGER = Integer().with_variant(BigInteger(), "postgresql")
