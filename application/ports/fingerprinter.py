"""The port for fingerprints: the store recognises a value without revealing it."""

from __future__ import annotations

from typing import Protocol


class Fingerprinter(Protocol):
    """
    Fingerprints contents with a key that is kept outside the store (C-3).

    A saved answer is returned for the same body only (C-10). Wrong logins are counted by e-mails, which
    the store does not reveal to trials of all of them (D-108).
    """

    def fingerprints(self, content: bytes) -> tuple[str, ...]:
        """Return the fingerprint under each live key version, the newest first."""
        ...
