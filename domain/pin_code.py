"""The code that a recipient types: its alphabets, and what typing may change about it (C-14, C-16)."""

from __future__ import annotations

import string
from enum import StrEnum

MAX_TYPED_LENGTH = 64


class PinType(StrEnum):
    """The character sets a template may ask for."""

    NUMERIC = "numeric"
    ALPHA = "alpha"
    HEX = "hex"
    ALPHANUMERIC = "alphanumeric"

    @property
    def alphabet(self) -> str:
        """The characters, in capitals; alphanumeric leaves out 0, O, 1, I and L."""
        return _ALPHABETS[self]


_ALPHABETS = {
    PinType.NUMERIC: string.digits,
    PinType.ALPHA: string.ascii_uppercase,
    PinType.HEX: string.digits + "ABCDEF",
    PinType.ALPHANUMERIC: "23456789ABCDEFGHJKMNPQRSTUVWXYZ",
}


def key_version(code_hash: str) -> int:
    """Return the version of the code key that a stored hash needs; it stands before the first `$`."""
    return int(code_hash.partition("$")[0])


def normalized(typed: str) -> str:
    """Forgive what typing changes: white space around the code, and small letters."""
    return typed.strip().upper()
