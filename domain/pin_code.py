"""The code that a recipient types: its alphabets, and the tolerated typing differences (C-14, C-16)."""

from __future__ import annotations

import string
from enum import StrEnum

MAX_TYPED_LENGTH = 64


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


def key_version(code_hash: str) -> int:
    """Return the version of the code key that made a stored hash; the hash has it before its first `$`."""
    return int(code_hash.partition("$")[0])


def normalized(typed: str) -> str:
    """Return a typed code without white space around it, in upper case."""
    return typed.strip().upper()
