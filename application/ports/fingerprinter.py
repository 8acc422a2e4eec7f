"""The port for fingerprinting requests."""

from __future__ import annotations

from typing import Protocol


class Fingerprinter(Protocol):
    """Fingerprints request bodies, so that a saved answer is given for the same body only (C-10)."""

    def fingerprints(self, canonical_body: bytes) -> tuple[str, ...]:
        """Give the fingerprint under each live key version, the newest first."""
        ...
