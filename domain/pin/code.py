"""The code that a recipient types: its tolerated typing differences, and the hash stored of it (C-14)."""

from __future__ import annotations

MAX_TYPED_LENGTH = 64


def key_version(code_hash: str) -> int:
    """Return the version of the code key that made a stored hash; the hash has it before its first `$`."""
    return int(code_hash.partition("$")[0])


def normalized(typed: str) -> str:
    """Return a typed code without white space around it, in upper case."""
    return typed.strip().upper()
