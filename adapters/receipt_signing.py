"""
Verification receipts as JWS with EdDSA (RFC 7515, RFC 8037), under keys of their own (C-83).

A key's text is the base64 of the 32 bytes of an Ed25519 private key. Several, separated by commas, are in
use while the key is rotated: the first signs, and all are published.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ..application.ports.receipt_signer import Verification
from ..domain.pin_template.policy import VerificationReceipt
from .private_files import NotPrivateError, make_private, read_private

HINT = "Make one with: head -c 32 /dev/urandom | base64"
_KEY_BYTES = 32
# A retired key may stay behind the others for as long as its receipts have to be checked.
_MOST_KEYS = 8
# Twice the bits that a salt needs at least (C-105).
_SALT_BYTES = 32


class ReceiptKeyError(Exception):
    """A receipt key is missing or malformed, or others can read it; the text never shows the key."""


class JwsReceiptSigner:
    """Signs with the first of its private keys."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = [Ed25519PrivateKey.from_private_bytes(each) for each in keys]
        self._public = [_public(each) for each in self._keys]

    def sign(self, verification: Verification, receipt_id: str, issuer: str | None) -> str:
        """Return a JWS whose header names the key."""
        claims: dict[str, Any] = {"iss": issuer} if issuer is not None else {}
        claims |= {
            "jti": receipt_id,
            "iat": int(verification.at.timestamp()),
            **_subject(verification),
            "pinId": verification.pin_id,
            "template": verification.template_id,
            "channel": _channel(verification.channels),
            "position": verification.position,
        }
        key_id = self._public[0]["kid"]
        return jwt.encode(claims, self._keys[0], algorithm="EdDSA", headers={"kid": key_id})

    def public_keys(self) -> Sequence[Mapping[str, str]]:
        """Return the public keys as JWKs."""
        return self._public


def new_receipt_key() -> bytes:
    """Return a new private key."""
    return secrets.token_bytes(_KEY_BYTES)


def parse_receipt_keys(text: str) -> list[bytes]:
    """Return the private keys in a text, the newest first; raises `ReceiptKeyError`."""
    keys = []
    for part in text.strip().split(","):
        try:
            key = base64.b64decode(part.strip(), validate=True)
        except (binascii.Error, ValueError):
            raise ReceiptKeyError(f"The receipt key is not base64. {HINT}") from None
        if len(key) != _KEY_BYTES:
            raise ReceiptKeyError(f"The receipt key does not have {_KEY_BYTES} bytes. {HINT}")
        if key in keys:
            raise ReceiptKeyError("The same receipt key is given twice.")
        keys.append(key)
    if len(keys) > _MOST_KEYS:
        raise ReceiptKeyError(f"There are more than {_MOST_KEYS} receipt keys.")
    return keys


def read_receipt_keys(path: Path) -> list[bytes]:
    """Return the private keys in a file; raises `ReceiptKeyError`, also if others can read the file."""
    try:
        return parse_receipt_keys(read_private(path))
    except NotPrivateError as error:
        raise ReceiptKeyError(str(error)) from None
    except FileNotFoundError:
        raise ReceiptKeyError(f"There is no receipt key file at {path}.") from None


def receipt_keys_at(path: Path) -> list[bytes]:
    """Return the private keys in a file; if the file is missing, create it (mode 0600) with a new key."""
    if not path.exists():
        make_private(path, f"{base64.b64encode(new_receipt_key()).decode()}\n")
    return read_receipt_keys(path)


def _subject(verification: Verification) -> Mapping[str, str]:
    """Return who was verified: the destination, or its digest with the salt (C-105)."""
    if verification.form is VerificationReceipt.CLEAR:
        return {"sub": verification.destination}
    salt = _base64url(secrets.token_bytes(_SALT_BYTES))
    digest = hashlib.sha256(f"{salt}{verification.canonical}".encode()).digest()
    return {"sub": _base64url(digest), "salt": salt}


def _channel(channels: Sequence[str]) -> str | Sequence[str]:
    """Return the channel, or all of them where nobody knows on which the code was read (D-461)."""
    return channels[0] if len(channels) == 1 else channels


def _public(key: Ed25519PrivateKey) -> Mapping[str, str]:
    """Return the public key as a JWK, whose id is its thumbprint (RFC 7638)."""
    point = _base64url(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
    members = {"crv": "Ed25519", "kty": "OKP", "x": point}
    canonical = json.dumps(members, sort_keys=True, separators=(",", ":")).encode()
    thumbprint = _base64url(hashlib.sha256(canonical).digest())
    return {**members, "kid": thumbprint, "alg": "EdDSA", "use": "sig"}


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
