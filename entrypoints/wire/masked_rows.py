"""Rows of lists with everything masked that says something about a person (C-32, C-82)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...domain.message import Direction
from .shown_events import masked_member

Record = Mapping[str, Any]


def masked_verification(record: Record) -> Record:
    """Return a PIN without the destination and the caller's reference."""
    return _masked(record, "destination", "referenceId")


def masked_message(record: Record) -> Record:
    """Return a message without the person's number, the custom references and the tags."""
    person = "sender" if record["direction"] == Direction.INBOUND else "recipient"
    return _masked(record, person, "custRefs", "tags")


def _masked(record: Record, *names: str) -> Record:
    return {**record, **{name: masked_member(name, record[name]) for name in names}}
