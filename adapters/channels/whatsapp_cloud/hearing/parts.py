"""
The parts of a post, each read by itself (D-46).

A list of parts is read without its parts, so a large post costs as much as the parts that are wanted,
and one that has another shape than Meta's spoils no other.
"""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec
from msgspec import Raw, Struct, field

_Shape = TypeVar("_Shape")
# In JSON: a backslash that is written as two, a surrogate pair, and half of one. Other escapes are whole.
_ESCAPE = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


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


def posted_in(body: bytes) -> Posted | None:
    """Return a post; None if it is none of Meta's. Half a surrogate pair is replaced in it."""
    # Nearly every post is whole, and the second look takes longer.
    return read(body, Posted) or read(_ESCAPE.sub(_whole, body), Posted)


def _whole(escape: re.Match[bytes]) -> bytes:
    return escape[0] if escape["half"] is None else b"\\ufffd"


def read(raw: Raw | bytes, shape: type[_Shape]) -> _Shape | None:
    """Return a part in its shape; None if it has another."""
    try:
        return msgspec.json.decode(raw, type=shape)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        # A text that is no UTF-8 is a ValueError.
        return None
