"""
Limits on single values, as attrs validators. Their messages tell callers what to change.

Validators with numbers are objects: the description of the interface reads the numbers.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

NO_CONTROLS = "must have no control characters, such as line breaks"
# PostgreSQL cannot store NUL, and UTF-8 has no unpaired surrogates.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# U+2028 and U+2029 end a line, too: in mail headers and in lists.
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")


def has_controls(text: str) -> bool:
    """Return whether a text has control characters, which could change how it is shown or sent on (C-98)."""
    # `isprintable` is fast, and nearly all texts are printable.
    return not text.isprintable() and _CONTROL.search(text) is not None


@frozen
class Characters:
    """Check that a text has from `least` to `most` characters. None passes."""

    least: int
    most: int

    def __call__(self, _instance: object, _attribute: object, value: Any) -> None:
        """Raise `ValueError` for any other value."""
        if value is not None and not self.least <= len(value) <= self.most:
            raise ValueError(f"must have {self.least} to {self.most} characters")


@frozen
class OneLine:
    """Check that a text has from `least` to `most` characters, none of them a control character."""

    least: int
    most: int

    def __call__(self, _instance: object, _attribute: object, value: Any) -> None:
        """Raise `ValueError` for any other value."""
        if value is None:
            return
        if not self.least <= len(value) <= self.most:
            raise ValueError(f"must have {self.least} to {self.most} characters")
        # The check of `isprintable` stands here, too: it saves each request several calls.
        if not value.isprintable() and has_controls(value):
            raise ValueError(NO_CONTROLS)


@frozen
class FromTo:
    """Check that a number is from `least` to `most`. None passes."""

    least: int
    most: int

    def __call__(self, _instance: object, _attribute: object, value: Any) -> None:
        """Raise `ValueError` for any other value."""
        if value is not None and not self.least <= value <= self.most:
            raise ValueError(f"must be from {self.least} to {self.most}")


@frozen
class Entries:
    """Check that a list has from `least` to `most` entries."""

    least: int
    most: int

    def __call__(self, _instance: object, _attribute: object, value: Any) -> None:
        """Raise `ValueError` for any other value."""
        if not self.least <= len(value) <= self.most:
            raise ValueError(f"must have {self.least} to {self.most} entries")


@frozen
class AtMost:
    """Check that a list has at most `most` entries. None passes."""

    most: int

    def __call__(self, _instance: object, _attribute: object, value: Any) -> None:
        """Raise `ValueError` for any other value."""
        if value is not None and len(value) > self.most:
            raise ValueError(f"must have at most {self.most} entries")


def some(_instance: object, _attribute: object, value: Any) -> None:
    """Check that a list has at least one entry."""
    if not value:
        raise ValueError("must have at least one entry")
