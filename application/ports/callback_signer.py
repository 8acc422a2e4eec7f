"""The port for what proves to the receiver of a callback who sent it (C-33)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol


class CallbackSigner(Protocol):
    """Signs callbacks, and writes the secrets down that it signs them with."""

    def headers(
        self, delivery_id: str, body: bytes, at: datetime, secret: bytes | None
    ) -> Mapping[str, str]:
        """
        Return the headers of a call; a repetition has the same id.

        Without a secret they prove nothing. Receivers compare `at` with their own clocks.
        """
        ...

    def secret_text(self, secret: bytes) -> str:
        """Return a secret as receivers keep it."""
        ...

    def secret_bytes(self, text: str) -> bytes:
        """Return the secret in its text; raises `ValueError`, which says what the text must be."""
        ...
