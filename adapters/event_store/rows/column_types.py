"""The types of columns, the same on every database (D-57)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, String

# Compared and sorted by code points everywhere: PostgreSQL would use its locale.
TEXT = String().with_variant(String(collation="C"), "postgresql")
INTEGER = Integer().with_variant(BigInteger(), "postgresql")
