"""
The sealed form of a text: a key commitment, a nonce, and AES-256-GCM, in base64 (D-310).

All functions are pure but for the random nonce. docs/how-to/auditing.md describes it for auditors.
"""

from __future__ import annotations

import hmac
from binascii import Error, a2b_base64, b2a_base64
from hashlib import blake2b

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ...application.ports.sealer import SealBrokenError
from ..randomness import SecretRandomness

_KEY_BYTES = 32
_COMMITMENT_BYTES = 32
# Random for every text: one event's key seals a few texts, if an append is tried again.
_NONCE_BYTES = 12
_TEXT_AT = _COMMITMENT_BYTES + _NONCE_BYTES
_RANDOMNESS = SecretRandomness()


class OtherKeyError(SealBrokenError):
    """A text was sealed under another key, or its commitment was changed."""


def event_key(owner_key: bytes, name: str) -> bytes:
    """Return the key of one event or row: BLAKE2b of its name, under its owner's key."""
    return blake2b(name.encode(), key=owner_key, digest_size=_KEY_BYTES).digest()


def seal_text(key: bytes, name: str, plain: bytes) -> str:
    """Seal a text under the key of the event or row `name`."""
    both = _commitment_and_cipher_key(key)
    nonce = _RANDOMNESS.new_bytes(_NONCE_BYTES)
    encrypted = AESGCM(both[_COMMITMENT_BYTES:]).encrypt(nonce, plain, name.encode())
    sealed = both[:_COMMITMENT_BYTES] + nonce + encrypted
    return b2a_base64(sealed, newline=False).decode()


def open_text(key: bytes, name: str, text: str) -> bytes:
    """Open a sealed text; raises `SealBrokenError` for every other key, name or text."""
    try:
        sealed = a2b_base64(text)
    except (Error, ValueError):
        raise SealBrokenError from None
    # A text has one spelling: base64 with other last bits, or with characters to skip, was changed.
    if b2a_base64(sealed, newline=False).decode() != text:
        raise SealBrokenError
    both = _commitment_and_cipher_key(key)
    if not hmac.compare_digest(both[:_COMMITMENT_BYTES], sealed[:_COMMITMENT_BYTES]):
        raise OtherKeyError
    cipher = AESGCM(both[_COMMITMENT_BYTES:])
    try:
        return cipher.decrypt(sealed[_COMMITMENT_BYTES:_TEXT_AT], sealed[_TEXT_AT:], name.encode())
    except (InvalidTag, ValueError):
        raise SealBrokenError from None


def _commitment_and_cipher_key(key: bytes) -> bytes:
    """
    Return the commitment to a key, then the cipher's key: the halves of one BLAKE2b.

    GCM does not bind the key: a text can be prepared that opens under two keys to two numbers. No two
    keys have the same commitment, and it says nothing of the cipher's key.
    """
    return blake2b(b"watchword/sealed", key=key).digest()
