"""The port for values that nobody can guess."""

from __future__ import annotations

from typing import Protocol


class Randomness(Protocol):
    """Creates values from a cryptographic source of random numbers."""

    def new_id(self, prefix: str) -> str:
        """Return an id such as `pin_…` with 80 random bits; it reveals no time or count."""
        ...

    def new_code(self, alphabet: str, length: int) -> str:
        """Return a code of `length` characters, each drawn evenly from `alphabet`."""
        ...

    def new_key(self) -> str:
        """Return the text of a new API key, with 256 random bits."""
        ...

    def new_token(self) -> str:
        """Return the text of a new token, with 256 random bits."""
        ...
