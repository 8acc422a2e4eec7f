"""
The parts of a post, each read by itself (D-46).

A list of parts is read without its parts, so a large post costs as much as the parts that are wanted,
and one that has another shape than Meta's spoils no other.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec import Raw, Struct, field

from .half_characters import without_halves

_Shape = TypeVar("_Shape")
# Meta's statuses and events have a few kilobytes; one of megabytes would hold the event loop (D-300).
_LONGEST_PART = 65_536


class Ignored:
    """A part that is read, and says nothing for us."""


IGNORED = Ignored()


class Posted(Struct, frozen=True):
    """A post; `entry` has an item for each WhatsApp Business account."""

    object: str
    entry: list[Raw]


class Entry(Struct, frozen=True):
    """The changes of one WhatsApp Business account."""

    id: str | int
    changes: list[Raw]


class Change(Struct, frozen=True):
    """A change of one field, such as `messages`."""

    field: str
    value: Raw


class Metadata(Struct, frozen=True):
    """The business's own phone."""

    phone_number_id: str
    display_phone_number: str = ""


class Messages(Struct, frozen=True):
    """The value of the field `messages`."""

    metadata: Metadata
    contacts: Raw = field(default_factory=Raw)
    statuses: list[Raw] = []
    messages: list[Raw] = []


async def posted_in(body: bytes) -> Posted | None:
    """Return a post; None if it is none of Meta's. Half a surrogate pair is replaced in it."""
    # Nearly every post is whole, and the second look takes longer.
    return read(body, Posted) or read(await without_halves(body), Posted)


def read_part(raw: Raw, shape: type[_Shape], longest: int = _LONGEST_PART) -> _Shape | None:
    """Return a part in its shape; None if it has another, or is too long to be Meta's."""
    return read(raw, shape) if memoryview(raw).nbytes <= longest else None


def read(raw: Raw | bytes, shape: type[_Shape]) -> _Shape | None:
    """Return a part in its shape; None if it has another."""
    try:
        return msgspec.json.decode(raw, type=shape)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        # A text that is no UTF-8 is a ValueError.
        return None
