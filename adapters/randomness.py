"""Randomness from the operating system's cryptographic source, drawn in blocks."""

from __future__ import annotations

import os
import secrets
from base64 import urlsafe_b64encode

_BLOCK_BYTES = 4096
_ID_BYTES = 16
_KEY_BYTES = 32


class SecretRandomness:
    """
    Gives ids, codes and keys that nobody can guess.

    A call of the system hands the interpreter lock over and back, and a request needs ten draws: so
    bytes are fetched in blocks, each byte is used once, and a forked process starts with none.
    """

    def __init__(self) -> None:
        self._block = b""
        self._used = 0
        os.register_at_fork(after_in_child=self._forget)

    def new_id(self, prefix: str) -> str:
        """Give an id with 128 random bits."""
        return f"{prefix}_{self.new_hex()}"

    def new_hex(self) -> str:
        """Give 128 random bits in hexadecimal."""
        return self._bytes(_ID_BYTES).hex()

    def new_code(self, alphabet: str, length: int) -> str:
        """Give a code; one even draw over all codes of that length, leading zeros included."""
        # 256 bits over at most 36^10 codes: no code is likelier than another by 2^-200.
        drawn = int.from_bytes(self._bytes(_KEY_BYTES)) % len(alphabet) ** length
        characters = []
        for _ in range(length):
            drawn, index = divmod(drawn, len(alphabet))
            characters.append(alphabet[index])
        return "".join(characters)

    def new_key(self) -> str:
        """Give the text of a new API key, with 256 random bits."""
        return f"ww_{urlsafe_b64encode(self._bytes(_KEY_BYTES)).rstrip(b'=').decode()}"

    def _bytes(self, count: int) -> bytes:
        if len(self._block) - self._used < count:
            self._block, self._used = secrets.token_bytes(_BLOCK_BYTES), 0
        start, self._used = self._used, self._used + count
        return self._block[start : self._used]

    def _forget(self) -> None:
        self._block, self._used = b"", 0
