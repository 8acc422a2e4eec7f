"""Randomness from the operating system's cryptographic source, drawn in blocks."""

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
# Of an id: 48 bits, which are those of all ids that are made within so many seconds.
_SHARED_DIGITS = 12
_SHARED_SECONDS = 0.1


class SecretRandomness:
    """
    Makes ids, codes and keys that nobody can guess.

    A call of the system hands the interpreter lock over and back, and a request needs ten draws: so
    bytes are fetched in blocks, and cut into pieces of 128 bits in hexadecimal; each is used once, and a
    forked process starts with none.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._pieces: list[str] = []
        self._beginning = ""
        self._shared_until = -math.inf
        os.register_at_fork(after_in_child=self._pieces.clear)

    def new_id(self, prefix: str) -> str:
        """
        Return an id with 80 random bits of its own, behind 48 that it shares with its neighbours.

        Ids that begin alike stand together in an index, so a commit writes fewer pages; all of them
        random, each wrote some of its own. A beginning is random too, and another one follows by the
        clock: after so many ids, who asks again and again would see how many others get (D-123).
        """
        now = self._now()
        if now >= self._shared_until:
            self._beginning = secrets.token_hex(_SHARED_DIGITS // 2)
            self._shared_until = now + _SHARED_SECONDS
        # As `new_hex` draws: a PIN and its events need six ids.
        pieces = self._pieces or self._refilled()
        return f"{prefix}_{self._beginning}{pieces.pop()[_SHARED_DIGITS:]}"

    def new_hex(self) -> str:
        """Return 128 random bits in hexadecimal."""
        return (self._pieces or self._refilled()).pop()

    def new_code(self, alphabet: str, length: int) -> str:
        """Return a code, each of its characters drawn evenly; leading zeros included."""
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
    """Return what each byte stands for, and the bytes that are drawn again: all stand as often."""
    times, left_over = divmod(256, len(alphabet))
    return (alphabet * (times + 1))[:256].encode("ascii"), bytes(range(256 - left_over, 256))
