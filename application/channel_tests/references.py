"""The references of tests, which no message and no PIN's code has."""

from __future__ import annotations

PREFIX = "cht"


def is_reference_of_test(reference: str | None) -> bool:
    """Return whether a reference is that of a test."""
    return reference is not None and reference.startswith(f"{PREFIX}_")
