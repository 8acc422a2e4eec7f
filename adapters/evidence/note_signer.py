"""Signs heads as C2SP's signed notes: an Ed25519 signature, and a cosignature with the time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from ...application.ports.head_signer import SigningKey
from ...verify_evidence import cosigned_text, signature_line
from .log_keys import LogKey


class NoteSigner:
    """Signs with one key, or in a rotation with two."""

    def __init__(self, keys: Sequence[LogKey]) -> None:
        self._keys = {each.verifier.vkey: each for each in keys}
        self.name = keys[0].name
        self.keys = tuple(
            SigningKey(log_key, each.clock_verifier.vkey) for log_key, each in self._keys.items()
        )

    def signed(self, text: str, at: datetime, log_keys: Collection[str]) -> str:
        """Return the text with the signatures of the named keys."""
        signing = [each for log_key, each in self._keys.items() if log_key in log_keys]
        if not signing:
            raise ValueError("none of the keys that may sign is here")
        lines = [line for each in signing for line in _signatures(each, text, int(at.timestamp()))]
        return f"{text}\n{''.join(lines)}"


def _signatures(key: LogKey, text: str, at: int) -> Iterator[str]:
    yield signature_line(key.verifier, key.private.sign(text.encode()))
    timed = at.to_bytes(8, "big") + key.clock.sign(cosigned_text(text, at))
    yield signature_line(key.clock_verifier, timed)
