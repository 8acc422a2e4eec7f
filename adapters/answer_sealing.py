"""Seals saved answers under the client's Idempotency-Key and the code key (C-10, D-330)."""

from __future__ import annotations

import hmac

from ..application.ports.sealer import SealBrokenError, SealKeyMissingError
from .keyring import Keyring, Purpose
from .vault import open_text, seal_text


class HmacAnswerSealer:
    """
    Derives the key of an answer: the HMAC of the client's secret, under the code key's subkey `answer`.

    The number of the code key's version precedes the sealed text, so that a rotation within the 24 hours of
    an answer does not lose it.
    """

    def __init__(self, keyring: Keyring) -> None:
        self._newest = keyring.newest
        self._subkeys = keyring.subkeys(Purpose.ANSWER)

    def seal(self, secret: str, name: str, plain: bytes) -> str:
        """Seal an answer under the newest version."""
        return f"{self._newest}:{seal_text(self._key(self._newest, secret), name, plain)}"

    def open(self, secret: str, name: str, text: str) -> bytes:
        """Open an answer; raises `SealBrokenError` or `SealKeyMissingError`."""
        version, separator, sealed = text.partition(":")
        if not separator or not version.isdecimal() or not version.isascii():
            raise SealBrokenError
        if int(version) not in self._subkeys:
            raise SealKeyMissingError(int(version))
        return open_text(self._key(int(version), secret), name, sealed)

    def _key(self, version: int, secret: str) -> bytes:
        return hmac.digest(self._subkeys[version], secret.encode(), "sha256")
