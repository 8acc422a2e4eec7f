"""Reads the signatures on a note: of the log, its clock, witnesses, and keys unknown to the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum

from attrs import frozen

from ...verify_evidence import EvidenceError, Verifier, decoded, open_note


class Signer(StrEnum):
    """The signer of a line of a note; `UNKNOWN` if the service does not know the key."""

    LOG = "log"
    CLOCK = "clock"
    WITNESS = "witness"
    UNKNOWN = "unknown"


@frozen
class NoteSignature:
    """A line of a note: by whom, when if it says so, and whether it verifies (None for an unknown key)."""

    name: str
    signer: Signer
    at: datetime | None
    verifies: bool | None


def signatures_of(note: str, known: Mapping[Verifier, Signer]) -> Sequence[NoteSignature]:
    """Return the signatures on a note, in its order; lines in another form are left out."""
    text, _, lines = note.rpartition("\n\n")
    by_id = {(key.name, key.key_id): key for key in known}
    found = []
    for line in lines.splitlines():
        mark, name, signature = [*line.split(" "), "", ""][:3]
        if mark != "—":
            continue
        key = by_id.get((name, _key_id(signature)))
        if key is None:
            found.append(NoteSignature(name, Signer.UNKNOWN, None, None))
        else:
            at, verifies = _checked(f"{text}\n\n{line}\n", key)
            found.append(NoteSignature(name, known[key], at, verifies))
    return found


def signed_at(note: str, key: Verifier) -> datetime | None:
    """Return when a key cosigned a note; None if it did not, or its signature is wrong."""
    return _checked(note, key)[0]


def _key_id(signature: str) -> bytes:
    try:
        return decoded(signature)[:4]
    except EvidenceError:
        return b""


def _checked(note: str, key: Verifier) -> tuple[datetime | None, bool]:
    try:
        _, (signed, *_) = open_note(note, [key])
    except EvidenceError:
        return None, False
    return None if signed.at is None else datetime.fromtimestamp(signed.at, UTC), True
