"""Limits on single values, as attrs validators whose words a caller can act on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Validator = Callable[[Any, Any, Any], None]

NO_CONTROLS = "must have no control characters, such as line breaks"
# What ends a line in a mail's head or a list is one, too: U+2028 and U+2029.
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")


def has_controls(text: str) -> bool:
    """Say whether a text has characters that steer whoever shows or passes it on (C-98)."""
    # Nearly all texts are printable, which is quickly seen.
    return not text.isprintable() and _CONTROL.search(text) is not None


def characters(least: int, most: int) -> Validator:
    """Check that a text has from `least` to `most` characters; None is left alone."""

    def check(_instance: object, _attribute: object, value: Any) -> None:
        if value is not None and not least <= len(value) <= most:
            raise ValueError(_must_have(least, most))

    return check


def one_line(least: int, most: int) -> Validator:
    """Check that a text has from `least` to `most` characters, none of them a control character."""

    def check(_instance: object, _attribute: object, value: Any) -> None:
        if value is None:
            return
        if not least <= len(value) <= most:
            raise ValueError(_must_have(least, most))
        if has_controls(value):
            raise ValueError(NO_CONTROLS)

    return check


def _must_have(least: int, most: int) -> str:
    return f"must have {least} to {most} characters"


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
