"""Fingerprints of request bodies: an HMAC under a subkey of the code key (C-3, C-10)."""

from __future__ import annotations

import hashlib
import hmac

from .keyring import Keyring, Purpose


class HmacFingerprinter:
    """Fingerprints request bodies under each live key version."""

    def __init__(self, keyring: Keyring) -> None:
        keys = keyring.subkeys(Purpose.FINGERPRINT)
        self._keys = [(keyring.newest, keys.pop(keyring.newest)), *keys.items()]

    def fingerprints(self, canonical_body: bytes) -> tuple[str, ...]:
        """Give the fingerprint under each version, the newest first."""
        return tuple(
            f"{version}:{hmac.new(key, canonical_body, hashlib.sha256).hexdigest()}"
            for version, key in self._keys
        )
