"""The column types of texts and numbers, with the same behaviour on every database (D-57)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Integer, String

# Compared and sorted by code points, where PostgreSQL would use its locale; numbers have 64 bits.
TEXT = String().with_variant(String(collation="C"), "postgresql")
INTEGER = Integer().with_variant(BigInteger(), "postgresql")
