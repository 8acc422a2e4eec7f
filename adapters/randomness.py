"""Randomness from the operating system's cryptographic source, read in blocks."""

from __future__ import annotations

import math
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import lru_cache
from time import monotonic

_BYTES = 16
_PIECES = 1024
# The first 48 bits of an id, which all ids made within so many seconds share.
_SHARED_DIGITS = 12
_SHARED_SECONDS = 0.1


class SecretRandomness:
    """
    Generates ids, codes and keys that nobody can guess.

    A system call releases and reacquires the interpreter lock, and a request needs ten draws. So bytes
    are read in blocks and cut into pieces of 128 bits in hexadecimal. Each piece is used once, and a
    forked process starts without pieces.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._pieces: list[str] = []
        self._beginning = ""
        self._shared_until = -math.inf
        os.register_at_fork(after_in_child=self._pieces.clear)

    def new_id(self, prefix: str) -> str:
        """
        Return an id of 48 random bits, shared with ids of the same moment, and 80 of its own.

        Ids with the same beginning are close together in an index, so a commit writes fewer pages. The clock
        decides when the beginning changes: a count of ids would show a client how many ids others
        get (D-123).
        """
        now = self._now()
        if now >= self._shared_until:
            self._beginning = secrets.token_hex(_SHARED_DIGITS // 2)
            self._shared_until = now + _SHARED_SECONDS
        # `new_hex` inlined for speed: a PIN and its events need six ids.
        pieces = self._pieces or self._refilled()
        return f"{prefix}_{self._beginning}{pieces.pop()[_SHARED_DIGITS:]}"

    def new_hex(self) -> str:
        """Return 128 random bits in hexadecimal."""
        return (self._pieces or self._refilled()).pop()

    def new_bytes(self, count: int) -> bytes:
        """Return at most 16 random bytes, such as a nonce."""
        return bytes.fromhex(self.new_hex()[: 2 * count])

    def new_code(self, alphabet: str, length: int) -> str:
        """Return a code of uniformly drawn characters; it may begin with zeros."""
        characters, uneven = _drawing(alphabet)
        code = b""
        while len(code) < length:
            code += bytes.fromhex(self.new_hex()).translate(characters, uneven)
        return code[:length].decode()

    def _refilled(self) -> list[str]:
        self._pieces += secrets.token_bytes(_BYTES * _PIECES).hex(" ", _BYTES).split()
        return self._pieces

    def new_key(self) -> str:
        """Return the text of a new API key, with 256 random bits."""
        return f"ww_{self.new_token()}"

    def new_token(self) -> str:
        """Return the text of a new token, with 256 random bits."""
        token = bytes.fromhex(self.new_hex() + self.new_hex())
        return urlsafe_b64encode(token).rstrip(b"=").decode()


@lru_cache(maxsize=16)
def _drawing(alphabet: str) -> tuple[bytes, bytes]:
    """Return the character of each byte, and the bytes to reject so that the draw is uniform."""
    times, left_over = divmod(256, len(alphabet))
    return (alphabet * (times + 1))[:256].encode("ascii"), bytes(range(256 - left_over, 256))
