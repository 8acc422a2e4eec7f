"""The port for fingerprints: the store recognises a value without revealing it."""

from __future__ import annotations

from typing import Protocol


class Fingerprinter(Protocol):
    """
    Fingerprints contents under a key that is kept outside the store (C-3).

    So a saved answer is given for the same body only (C-10), and wrong logins are counted for e-mails
    that nobody finds by trying all (D-108).
    """

    def fingerprints(self, content: bytes) -> tuple[str, ...]:
        """Return the fingerprint under each live key version, the newest first."""
        ...
