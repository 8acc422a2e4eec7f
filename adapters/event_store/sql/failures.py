"""Names the kind of a database's failure."""

from __future__ import annotations


def reason_of(error: Exception) -> str:
    """Name the kind of a failure, such as `SQLITE_FULL`."""
    return str(getattr(error, "sqlite_errorname", type(error).__name__))
