"""Names the failures that databases report."""

from __future__ import annotations


def reason_of(error: Exception) -> str:
    """Return the name of a failure, such as `SQLITE_FULL`."""
    return str(getattr(error, "sqlite_errorname", type(error).__name__))
