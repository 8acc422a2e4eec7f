"""Fingerprints: an HMAC under a subkey of the code key (C-3, C-10, D-108)."""

from __future__ import annotations

import hmac

from .keyring import Keyring, Purpose


class HmacFingerprinter:
    """Computes fingerprints of content under each live key version."""

    def __init__(self, keyring: Keyring) -> None:
        keys = keyring.subkeys(Purpose.FINGERPRINT)
        newest_first = [(keyring.newest, keys.pop(keyring.newest)), *keys.items()]
        self._keys = [(version, hmac.new(key, digestmod="sha256")) for version, key in newest_first]

    def fingerprints(self, content: bytes) -> tuple[str, ...]:
        """Return the fingerprint under each version, the newest first."""
        return tuple(f"{version}:{_keyed(key, content)}" for version, key in self._keys)


def _keyed(key: hmac.HMAC, content: bytes) -> str:
    keyed = key.copy()
    keyed.update(content)
    return keyed.hexdigest()
