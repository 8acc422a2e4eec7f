"""
Limits on single values, as attrs validators whose words a caller can act on.

Those that take numbers are objects, so that the description of the interface reads the numbers of them.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

NO_CONTROLS = "must have no control characters, such as line breaks"
# What ends a line in a mail's head or a list is one, too: U+2028 and U+2029.
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")


def has_controls(text: str) -> bool:
    """Say whether a text has characters that steer whoever shows or passes it on (C-98)."""
    # Nearly all texts are printable, which is quickly seen.
    return not text.isprintable() and _CONTROL.search(text) is not None


@frozen
class Characters:
    """Checks that a text has from `least` to `most` characters; None is left alone."""

    least: int
    most: int

    def __call__(self, _instance: object, _attribute: object, value: Any) -> None:
        """Raise `ValueError` for any other value."""
        if value is not None and not self.least <= len(value) <= self.most:
            raise ValueError(f"must have {self.least} to {self.most} characters")


@frozen
class OneLine:
    """Checks that a text has from `least` to `most` characters, none of them a control character."""

    least: int
    most: int

    def __call__(self, _instance: object, _attribute: object, value: Any) -> None:
        """Raise `ValueError` for any other value."""
        if value is None:
            return
        if not self.least <= len(value) <= self.most:
            raise ValueError(f"must have {self.least} to {self.most} characters")
        # As `has_controls` does, whose call most texts need not pay for.
        if not value.isprintable() and has_controls(value):
            raise ValueError(NO_CONTROLS)


@frozen
class FromTo:
    """Checks that a number is from `least` to `most`; None is left alone."""

    least: int
    most: int

    def __call__(self, _instance: object, _attribute: object, value: Any) -> None:
        """Raise `ValueError` for any other value."""
        if value is not None and not self.least <= value <= self.most:
            raise ValueError(f"must be from {self.least} to {self.most}")


@frozen
class Entries:
    """Checks that a list has from `least` to `most` entries."""

    least: int
    most: int

    def __call__(self, _instance: object, _attribute: object, value: Any) -> None:
        """Raise `ValueError` for any other value."""
        if not self.least <= len(value) <= self.most:
            raise ValueError(f"must have {self.least} to {self.most} entries")


@frozen
class AtMost:
    """Checks that a list has at most so many entries; None is left alone."""

    most: int

    def __call__(self, _instance: object, _attribute: object, value: Any) -> None:
        """Raise `ValueError` for any other value."""
        if value is not None and len(value) > self.most:
            raise ValueError(f"must have at most {self.most} entries")


def some(_instance: object, _attribute: object, value: Any) -> None:
    """Check that a list has at least one entry."""
    if not value:
        raise ValueError("must have at least one entry")
