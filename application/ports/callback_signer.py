"""The port for the signatures that prove a callback's sender to its receiver (C-33)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol


class CallbackSigner(Protocol):
    """Signs callbacks, and converts secrets to and from their text."""

    def headers(
        self, delivery_id: str, body: bytes, at: datetime, secret: bytes | None
    ) -> Mapping[str, str]:
        """
        Return the headers of a call; a repeated call has the same id.

        Without a secret the headers prove nothing. Receivers compare `at` with their own clocks.
        """
        ...

    def secret_text(self, secret: bytes) -> str:
        """Return the text of a secret, as receivers store it."""
        ...

    def secret_bytes(self, text: str) -> bytes:
        """Return the secret in a text; raises `ValueError` with the required form of the text."""
        ...
