"""The log's keys in the form of Go's sumdb/note, and the clock's keys that follow from them (C-105)."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Sequence
from pathlib import Path

from attrs import field, frozen
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ...verify_evidence import COSIGNATURE, ED25519, EvidenceError, Verifier, decoded
from ..keyring import KeyringError
from ..private_files import NotPrivateError, make_private, read_private

LOG_KEY_HINT = "Make one with: watchword audit new-key"
_BEGINNING = "PRIVATE+KEY+"
_KEY_BYTES = 32
# As in verifier keys: neither white space nor a plus.
_NAME = re.compile(r"[^\s+]{1,200}")
_MOST_KEYS = 2


class LogKeyError(KeyringError):
    """The log's key is missing, is malformed, or is not a key of this log."""


@frozen
class LogKey:
    """A private key of a log; its clock signs with another one, which is derived from it."""

    name: str
    private: Ed25519PrivateKey = field(repr=False)
    clock: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def of(cls, name: str, seed: bytes) -> LogKey:
        """Return the key of a log's name and 32 bytes; raises `LogKeyError` for a name of none."""
        check_log_name(name)
        clock = HKDF(SHA256(), _KEY_BYTES, None, b"watchword/log-clock").derive(seed)
        return cls(name, *map(Ed25519PrivateKey.from_private_bytes, (seed, clock)))

    @classmethod
    def new(cls, name: str) -> LogKey:
        """Return a new random key, which is stored nowhere; raises `LogKeyError` for a bad name."""
        return cls.of(name, secrets.token_bytes(_KEY_BYTES))

    @classmethod
    def parse(cls, text: str) -> LogKey:
        """Read `PRIVATE+KEY+<name>+<hash>+<base64>`; raises `LogKeyError`, which never shows the key."""
        name, _, rest = text.removeprefix(_BEGINNING).partition("+")
        try:
            raw = decoded(rest.partition("+")[2])
        except EvidenceError:
            raw = b""
        if not text.startswith(_BEGINNING) or len(raw) != 1 + _KEY_BYTES or raw[0] != ED25519:
            raise LogKeyError(
                f"The log's key is not of the form {_BEGINNING}<name>+<hash>+<base64>. {LOG_KEY_HINT}"
            )
        key = cls.of(name, raw[1:])
        if key.text != text:
            raise LogKeyError(f"The hash in the log's key {name} is not that of its key.")
        return key

    @property
    def text(self) -> str:
        """The private key as a line."""
        raw = bytes([ED25519]) + self.private.private_bytes_raw()
        key_id = self.verifier.key_id.hex()
        return f"{_BEGINNING}{self.name}+{key_id}+{base64.b64encode(raw).decode()}"

    @property
    def verifier(self) -> Verifier:
        """The public key that verifies the log's signatures."""
        return Verifier(self.name, ED25519, self.private.public_key().public_bytes_raw())

    @property
    def clock_verifier(self) -> Verifier:
        """The public key that verifies when the log's clock saw a head."""
        return Verifier(self.name, COSIGNATURE, self.clock.public_key().public_bytes_raw())


def check_log_name(name: str) -> None:
    """Raise `LogKeyError` for a name that neither a key nor an origin can have."""
    if not _NAME.fullmatch(name) or not name.isprintable():
        raise LogKeyError(
            f"{name!r} cannot name a log: it has white space, a plus, or more than 200 characters."
        )


def parse_log_keys(text: str) -> Sequence[LogKey]:
    """
    Read one key, or in a rotation two of one name, the new one first: `NEW,OLD`.

    Raises `LogKeyError`; its text never shows a key.
    """
    keys = [LogKey.parse(each.strip()) for each in text.strip().split(",")]
    if len(keys) > _MOST_KEYS:
        raise LogKeyError(f"The log has more than {_MOST_KEYS} keys.")
    if len({each.name for each in keys}) != 1:
        raise LogKeyError("The log's old and new key have different names.")
    if len({each.verifier for each in keys}) != len(keys):
        raise LogKeyError("The log has one key twice.")
    return keys


def read_log_keys(path: Path) -> Sequence[LogKey]:
    """Read the keys in a file; raises `LogKeyError`, also if other users can read or replace the file."""
    try:
        return parse_log_keys(read_private(path))
    except NotPrivateError as error:
        raise LogKeyError(str(error)) from None


def make_log_key(path: Path, name: str) -> None:
    """Create a file (mode 0600) with a new key, unless there is one; raises `LogKeyError` for a bad name."""
    make_private(path, f"{LogKey.new(name).text}\n")
