"""Randomness from the operating system's cryptographic source."""

from __future__ import annotations

import secrets


class SecretRandomness:
    """Gives ids, codes and keys that nobody can guess."""

    def new_id(self, prefix: str) -> str:
        """Give an id with 128 random bits."""
        return f"{prefix}_{secrets.token_hex(16)}"

    def new_code(self, alphabet: str, length: int) -> str:
        """Give a code; one even draw over all codes of that length, leading zeros included."""
        drawn = secrets.randbelow(len(alphabet) ** length)
        characters = []
        for _ in range(length):
            drawn, index = divmod(drawn, len(alphabet))
            characters.append(alphabet[index])
        return "".join(characters)

    def new_key(self) -> str:
        """Give the text of a new API key, with 256 random bits."""
        return f"ww_{secrets.token_urlsafe(32)}"
