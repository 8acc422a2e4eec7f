"""The port that seals saved answers under their Idempotency-Keys (C-10, C-73)."""

from __future__ import annotations

from typing import Protocol


class AnswerSealer(Protocol):
    """
    Seals under keys that follow from a secret of the client and from the code key.

    Whoever lacks one of the two opens nothing: the store has neither.
    """

    def seal(self, secret: str, name: str, plain: bytes) -> str:
        """Seal an answer under the newest version of the code key; only its `name` opens it."""
        ...

    def open(self, secret: str, name: str, text: str) -> bytes:
        """
        Open an answer that any live version of the code key seals.

        Raises `SealBrokenError` for another secret or name, and `SealKeyMissingError`.
        """
        ...
