"""The character sets of codes, from which a template chooses one (C-16)."""

from __future__ import annotations

import string
from enum import StrEnum


class PinType(StrEnum):
    """The character sets of codes."""

    NUMERIC = "numeric"
    ALPHA = "alpha"
    HEX = "hex"
    ALPHANUMERIC = "alphanumeric"

    @property
    def alphabet(self) -> str:
        """The characters, in upper case; alphanumeric leaves out 0, O, 1, I and L."""
        return _ALPHABETS[self]


_ALPHABETS = {
    PinType.NUMERIC: string.digits,
    PinType.ALPHA: string.ascii_uppercase,
    PinType.HEX: string.digits + "ABCDEF",
    PinType.ALPHANUMERIC: "23456789ABCDEFGHJKMNPQRSTUVWXYZ",
}
