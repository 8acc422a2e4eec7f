"""The origins of heads: the name of a log, and a number that each restore raises (C-105)."""

from __future__ import annotations

from ...verify_evidence import Checkpoint


def origin_of(name: str, number: int) -> str:
    """Return the origin of the heads of a log."""
    return f"{name}/{number}"


def unverified_head(note: str) -> Checkpoint:
    """Return the head in a note without looking at its signatures; raises `EvidenceError`."""
    text, _, _ = note.rpartition("\n\n")
    return Checkpoint.parse(f"{text}\n")
