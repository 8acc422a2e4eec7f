"""Fingerprints of request bodies: an HMAC under a subkey of the code key (C-3, C-10)."""

from __future__ import annotations

import hmac

from .keyring import Keyring, Purpose


class HmacFingerprinter:
    """Fingerprints request bodies under each live key version."""

    def __init__(self, keyring: Keyring) -> None:
        keys = keyring.subkeys(Purpose.FINGERPRINT)
        newest_first = [(keyring.newest, keys.pop(keyring.newest)), *keys.items()]
        self._keys = [(version, hmac.new(key, digestmod="sha256")) for version, key in newest_first]

    def fingerprints(self, canonical_body: bytes) -> tuple[str, ...]:
        """Give the fingerprint under each version, the newest first."""
        return tuple(f"{version}:{_keyed(key, canonical_body)}" for version, key in self._keys)


def _keyed(key: hmac.HMAC, body: bytes) -> str:
    keyed = key.copy()
    keyed.update(body)
    return keyed.hexdigest()
