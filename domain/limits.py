"""Limits on single values, as attrs validators whose words a caller can act on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Validator = Callable[[Any, Any, Any], None]


def characters(least: int, most: int) -> Validator:
    """Check that a text has from `least` to `most` characters; None is left alone."""

    def check(_instance: object, _attribute: object, value: Any) -> None:
        if value is not None and not least <= len(value) <= most:
            raise ValueError(f"must have {least} to {most} characters")

    return check


def from_to(least: int, most: int) -> Validator:
    """Check that a number is from `least` to `most`; None is left alone."""

    def check(_instance: object, _attribute: object, value: Any) -> None:
        if value is not None and not least <= value <= most:
            raise ValueError(f"must be from {least} to {most}")

    return check


def some(_instance: object, _attribute: object, value: Any) -> None:
    """Check that a list has at least one entry."""
    if not value:
        raise ValueError("must have at least one entry")
