"""The code key in one or two versions, and its subkey for each purpose (C-3)."""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from attrs import field, frozen
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .private_files import NotPrivateError, make_private, read_private

KEY_BYTES = 32
MAX_VERSIONS = 2
HINT = "Make one with: echo 1:$(head -c 32 /dev/urandom | base64)"


class KeyringError(Exception):
    """A key is missing, is malformed or does not belong to the store."""


class Purpose(StrEnum):
    """The purpose of a subkey; a subkey decrypts nothing of another purpose."""

    CODE = "code"
    FINGERPRINT = "fingerprint"
    SEAL = "seal"
    CHECK = "check"
    PERSON = "person"
    INDEX = "index"
    ACCOUNT = "account"
    ANSWER = "answer"


@frozen
class Keyring:
    """The live versions of the code key; `newest` hashes new codes, the other only verifies."""

    newest: int
    keys: Mapping[int, bytes] = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> Keyring:
        """
        Parse `<version>:<base64 of at least 32 bytes>`, or two of them separated by a comma.

        Raises `KeyringError`; its text never shows the key.
        """
        keys: dict[int, bytes] = {}
        for part in text.strip().split(","):
            version, separator, encoded = part.strip().partition(":")
            if not separator or not version.isdecimal():
                raise KeyringError(f"The code key is not of the form <version>:<base64>. {HINT}")
            try:
                key = base64.b64decode(encoded, validate=True)
            except (binascii.Error, ValueError):
                raise KeyringError(f"Version {version} of the code key is not base64.") from None
            if len(key) < KEY_BYTES:
                raise KeyringError(
                    f"Version {version} of the code key has fewer than {KEY_BYTES} bytes. {HINT}"
                )
            if int(version) in keys:
                raise KeyringError(f"The code key has version {version} twice.")
            keys[int(version)] = key
        if len(keys) > MAX_VERSIONS:
            raise KeyringError(f"The code key has more than {MAX_VERSIONS} versions.")
        return cls(next(iter(keys)), keys)

    @classmethod
    def random(cls) -> Keyring:
        """Return a new random key, which is stored nowhere."""
        return cls(1, {1: secrets.token_bytes(KEY_BYTES)})

    @classmethod
    def read(cls, path: Path) -> Keyring:
        """
        Read the key in a file.

        Raises `KeyringError`, also if other users can read or replace the file.
        """
        try:
            return cls.parse(read_private(path))
        except NotPrivateError as error:
            raise KeyringError(str(error)) from None

    @classmethod
    def at(cls, path: Path) -> Keyring:
        """Read the key in a file; if the file is missing, create it (mode 0600) with a new key."""
        if not path.exists():
            fresh = base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()
            make_private(path, f"1:{fresh}\n")
        return cls.read(path)

    def subkeys(self, purpose: Purpose) -> dict[int, bytes]:
        """Derive each version's key for one purpose."""
        return {
            version: HKDF(SHA256(), KEY_BYTES, None, f"watchword/{purpose}".encode()).derive(key)
            for version, key in self.keys.items()
        }

    def check_values(self) -> dict[int, str]:
        """Return a fingerprint of each version for the store to compare; it does not reveal the key."""
        return {version: key.hex() for version, key in self.subkeys(Purpose.CHECK).items()}
