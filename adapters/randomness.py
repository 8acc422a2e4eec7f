"""Randomness from the operating system's cryptographic source, drawn in blocks."""

from __future__ import annotations

import os
import secrets
from base64 import urlsafe_b64encode

_BLOCK_BYTES = 4096
_ID_DIGITS = 32
_KEY_DIGITS = 64


class SecretRandomness:
    """
    Gives ids, codes and keys that nobody can guess.

    A call of the system hands the interpreter lock over and back, and a request needs ten draws: so
    bytes are fetched in blocks, in hexadecimal as most of them are used; each is used once, and a
    forked process starts with none.
    """

    def __init__(self) -> None:
        self._block = ""
        self._used = 0
        os.register_at_fork(after_in_child=self._forget)

    def new_id(self, prefix: str) -> str:
        """Give an id with 128 random bits."""
        return f"{prefix}_{self._digits(_ID_DIGITS)}"

    def new_hex(self) -> str:
        """Give 128 random bits in hexadecimal."""
        return self._digits(_ID_DIGITS)

    def new_code(self, alphabet: str, length: int) -> str:
        """Give a code; one even draw over all codes of that length, leading zeros included."""
        # 256 bits over at most 36^10 codes: no code is likelier than another by 2^-200.
        drawn = int(self._digits(_KEY_DIGITS), 16) % len(alphabet) ** length
        characters = []
        for _ in range(length):
            drawn, index = divmod(drawn, len(alphabet))
            characters.append(alphabet[index])
        return "".join(characters)

    def new_key(self) -> str:
        """Give the text of a new API key, with 256 random bits."""
        return f"ww_{self.new_token()}"

    def new_token(self) -> str:
        """Give the text of a new token, with 256 random bits."""
        token = bytes.fromhex(self._digits(_KEY_DIGITS))
        return urlsafe_b64encode(token).rstrip(b"=").decode()

    def _digits(self, count: int) -> str:
        start = self._used
        self._used = end = start + count
        if end > len(self._block):
            self._block, start, self._used = secrets.token_hex(_BLOCK_BYTES), 0, count
        return self._block[start : self._used]

    def _forget(self) -> None:
        self._block, self._used = "", 0
