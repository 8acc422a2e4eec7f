"""The origins of heads: the name of a log, and a number that each restore raises (C-105)."""

from __future__ import annotations

import re

from ...verify_evidence import Checkpoint

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


def origin_of(name: str, number: int) -> str:
    """Return the origin of the heads of a log."""
    return f"{name}/{number}"


def name_and_number(origin: str) -> tuple[str, int | None]:
    """Return the name and the number of an origin; None for an origin that ends in none."""
    name, _, number = origin.rpartition("/")
    return (name, int(number)) if name and _NUMBER.fullmatch(number) else (origin, None)


def unverified_head(note: str) -> Checkpoint:
    """Return the head in a note without looking at its signatures; raises `EvidenceError`."""
    text, _, _ = note.rpartition("\n\n")
    return Checkpoint.parse(f"{text}\n")
