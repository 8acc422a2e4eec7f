"""A witness: somebody else who signs the heads of the log, once each extends those before (tlog-witness)."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from enum import StrEnum

from attrs import frozen

from ...verify_evidence import COSIGNATURE, EvidenceError, Verifier, number, open_note

# Lines of an answer that are looked at; a witness signs with one key or two.
_MOST_LINES = 16


class WitnessFailure(StrEnum):
    """The reasons for which a head has no cosignature of a witness, beside those of the call."""

    REFUSED = "refused"
    AHEAD = "ahead"
    NOT_SIGNED = "not_signed"


@frozen
class Witness:
    """Where a witness takes checkpoints, and the key of its cosignatures."""

    url: str
    key: Verifier

    @classmethod
    def parse(cls, text: str) -> Witness:
        """Return the witness in `URL,VKEY`; raises `ValueError`, which quotes nothing of it."""
        url, comma, vkey = text.rpartition(",")
        try:
            key = Verifier.parse(vkey.strip())
        except EvidenceError as error:
            raise ValueError(str(error)) from None
        if not comma or key.kind != COSIGNATURE:
            raise ValueError("A witness is URL,VKEY with the key of cosignatures (type 0x04).")
        return cls(url.strip().rstrip("/"), key)

    @property
    def add_checkpoint(self) -> str:
        """The URL that takes checkpoints."""
        return f"{self.url}/add-checkpoint"

    def cosigned(self, note: str) -> bool:
        """Return whether a note has a cosignature of this witness that verifies."""
        try:
            open_note(note, [self.key])
        except EvidenceError:
            return False
        return True

    def cosignatures(self, note: str, answer: bytes) -> Sequence[str]:
        """Return the lines of an answer that are cosignatures of a note by this witness."""
        text = note.rpartition("\n\n")[0]
        try:
            lines = answer.decode().split("\n")[:_MOST_LINES]
        except UnicodeDecodeError:
            return ()
        return [f"{each}\n" for each in lines if self.cosigned(f"{text}\n\n{each}\n")][:1]


def submission(old: int, proof: Sequence[bytes], note: str) -> bytes:
    """Return the body that submits a head: what the witness has, the proof from there, and the head."""
    hashes = "".join(f"{base64.b64encode(each).decode()}\n" for each in proof)
    return f"old {old}\n{hashes}\n{note}".encode()


def size_in(answer: bytes) -> int | None:
    """Return the size that a witness says it has; None for any other answer."""
    try:
        return number(answer.decode().strip())
    except (EvidenceError, UnicodeDecodeError):
        return None
