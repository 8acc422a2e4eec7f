"""The port for what must not be guessed."""

from __future__ import annotations

from typing import Protocol


class Randomness(Protocol):
    """Makes unguessable values from a cryptographic source."""

    def new_id(self, prefix: str) -> str:
        """Return an id such as `pin_…`, of which 80 random bits are its own; it reveals no time or count."""
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
