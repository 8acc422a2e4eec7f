"""Wraps keys in AES-256-GCM by the code key, with the subkey of their purpose (C-3, C-100)."""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ...application.ports.sealer import (
    INDEX,
    SealBrokenError,
    SealKey,
    SealKeyMissingError,
    is_account,
    is_person,
)
from ..keyring import Keyring, Purpose
from ..randomness import SecretRandomness

# Random for every key: a subkey wraps far fewer keys than nonces need to repeat.
_NONCE_BYTES = 12


class KeyWrapping:
    """
    Wraps with the newest version of the code key, and unwraps with every live version.

    The name of a key says its purpose, and is bound to it: a key under another name does not open.
    """

    def __init__(self, keyring: Keyring) -> None:
        self.newest = keyring.newest
        self._randomness = SecretRandomness()
        self._ciphers = {
            (purpose, version): AESGCM(subkey)
            for purpose in (Purpose.SEAL, Purpose.PERSON, Purpose.INDEX, Purpose.ACCOUNT)
            for version, subkey in keyring.subkeys(purpose).items()
        }

    def wrap(self, name: str, secret: bytes) -> SealKey:
        """Wrap a secret under a name."""
        nonce = self._randomness.new_bytes(_NONCE_BYTES)
        cipher = self._ciphers[_purpose(name), self.newest]
        return SealKey(name, self.newest, nonce + cipher.encrypt(nonce, secret, name.encode()))

    def unwrap(self, key: SealKey) -> bytes:
        """Return the wrapped secret; raises `SealBrokenError` or `SealKeyMissingError`."""
        cipher = self._ciphers.get((_purpose(key.name), key.version))
        if cipher is None:
            raise SealKeyMissingError(key.version)
        nonce, encrypted = key.wrapped[:_NONCE_BYTES], key.wrapped[_NONCE_BYTES:]
        try:
            return cipher.decrypt(nonce, encrypted, key.name.encode())
        except (InvalidTag, ValueError):
            raise SealBrokenError from None

    def opens(self, version: int) -> bool:
        """Return whether this node has a version of the code key."""
        return (Purpose.SEAL, version) in self._ciphers

    def rewrapped(self, key: SealKey) -> SealKey:
        """Wrap the secret of a key again, with the newest version of the code key."""
        return self.wrap(key.name, self.unwrap(key))


def _purpose(name: str) -> Purpose:
    if is_person(name):
        return Purpose.PERSON
    if is_account(name):
        return Purpose.ACCOUNT
    return Purpose.INDEX if name == INDEX else Purpose.SEAL
