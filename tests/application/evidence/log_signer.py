"""Signs heads as the service does: with the key of a log and that of its clock."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from watchword.application.ports.sealed_log import Head
from watchword.verify_evidence import (
    COSIGNATURE,
    ED25519,
    Checkpoint,
    Verifier,
    cosigned_text,
    signature_line,
)


class LogSigner:
    """The two keys of a log, made from a seed."""

    def __init__(self, name: str = "garden", seed: str = "spade") -> None:
        self._name = name
        self._log_key, self._clock_key = (
            Ed25519PrivateKey.from_private_bytes(sha256(f"{seed} {use}".encode()).digest())
            for use in ("log", "clock")
        )
        self.verifiers = [
            Verifier(name, kind, key.public_key().public_bytes_raw())
            for kind, key in ((ED25519, self._log_key), (COSIGNATURE, self._clock_key))
        ]

    def head(self, size: int, root: bytes, at: datetime, number: int = 1) -> Head:
        """Return a signed head."""
        origin = f"{self._name}/{number}"
        text = Checkpoint(origin, size, root).text
        seconds = int(at.timestamp())
        clock = self._clock_key.sign(cosigned_text(text, seconds))
        lines = (
            signature_line(self.verifiers[0], self._log_key.sign(text.encode())),
            signature_line(self.verifiers[1], seconds.to_bytes(8, "big") + clock),
        )
        return Head(origin, size, root, at, f"{text}\n{''.join(lines)}")
