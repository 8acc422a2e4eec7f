"""Sealing with AES-256-GCM; each run has a key, wrapped by the code key's subkey `seal` (C-3)."""

from __future__ import annotations

import base64
import binascii
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ..application.ports.sealer import SealBrokenError, SealKey
from .keyring import KEY_BYTES, Keyring
from .vault import KeyWrapping

# Random for every text: one key seals too few texts for a nonce to repeat.
_NONCE_BYTES = 12


class AesGcmSealer:
    """
    Seals with the newest version of the code key, and opens with every live version.

    The subkey protects the run's key in the store and its backups. Deleting the run's key protects the
    sealed texts from anyone who gets the code key later.
    """

    def __init__(self, keyring: Keyring) -> None:
        self.newest = keyring.newest
        self._wrapping = KeyWrapping(keyring)

    def new_key(self, name: str) -> SealKey:
        """Make a random key, wrapped for this name."""
        return self.wrap(name, secrets.token_bytes(KEY_BYTES))

    def wrap(self, name: str, secret: bytes) -> SealKey:
        """Wrap a secret for this name."""
        return self._wrapping.wrap(name, secret)

    def unwrap(self, key: SealKey) -> bytes:
        """Return the wrapped secret; raises `SealBrokenError` or `SealKeyMissingError`."""
        return self._wrapping.unwrap(key)

    def rewrapped(self, key: SealKey) -> SealKey:
        """Wrap the secret of a key again, with the newest version of the code key."""
        return self._wrapping.rewrapped(key)

    def seal(self, key: SealKey, subject: str, plain: bytes) -> str:
        """Return the base64 of a nonce and the encrypted text."""
        return base64.b64encode(_encrypted(self.unwrap(key), subject, plain)).decode()

    def open(self, key: SealKey, subject: str, text: str) -> bytes:
        """Return the sealed text; raises `SealBrokenError` or `SealKeyMissingError`."""
        return _decrypted(self.unwrap(key), subject, _bytes(text))

    def seal_under(self, code: str, subject: str, plain: bytes) -> str:
        """Seal under a code; return base64 as `seal` does."""
        return base64.b64encode(_encrypted(_key_of(code), subject, plain)).decode()

    def open_under(self, code: str, subject: str, text: str) -> bytes:
        """Return the text sealed under a code; raises `SealBrokenError`."""
        return _decrypted(_key_of(code), subject, _bytes(text))


def _key_of(code: str) -> bytes:
    # A code has more random bits than anyone can try, so a fast derivation is enough.
    derivation = HKDF(hashes.SHA256(), KEY_BYTES, salt=None, info=b"watchword short link")
    return derivation.derive(code.encode())


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise SealBrokenError from None


def _encrypted(key: bytes, subject: str, plain: bytes) -> bytes:
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain, subject.encode())


def _decrypted(key: bytes, subject: str, sealed: bytes) -> bytes:
    nonce, encrypted = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
    try:
        return AESGCM(key).decrypt(nonce, encrypted, subject.encode())
    except (InvalidTag, ValueError):
        raise SealBrokenError from None
