"""
The three lines of a stored event: what everyone may read, what is sealed, and what no history shows.

The open line is JSON with the envelope of C-38. The sealed line has a text in base64 for the event's
owner, and `<owner>:<base64>` for each other person in it. The secret line is JSON. Of the last two,
either may be empty (C-73). Once its retention is over, a sealed line is blanked: `~` and the base64 SHA-256
of the line that was there, so that the log's tree can still be computed (C-75, D-453).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

_OTHER = ":"


class Lines(NamedTuple):
    """The lines of one event."""

    open: bytes
    sealed: bytes
    secret: bytes


class OpenLine(msgspec.Struct):
    """An event's open line; `at` is as it stands."""

    id: str
    at: str
    actor: str
    request: str
    account: str | None
    data: dict[str, Any]
    person: str | None = None

    def owner_in(self, stream: str) -> str:
        """Return the owner of what is personal in the event, if it stands in this stream."""
        return owner_of(stream, self.account, self.person)


class Envelope(msgspec.Struct):
    """The members of an open line by which an event is placed, decoded without the rest."""

    id: str
    at: datetime
    request: str


class Shown(msgspec.Struct):
    """The members of an open line that tell an event, decoded without the rest."""

    at: str
    account: str | None
    data: dict[str, Any]


class Actor(msgspec.Struct):
    """The actor in an open line, decoded without the rest."""

    actor: str


class Whose(msgspec.Struct):
    """The account and the person in an open line, decoded without the rest."""

    account: str | None = None
    person: str | None = None


def envelope_of(
    event_id: str,
    at: datetime,
    actor: str,
    request_id: str,
    account: str | None,
    person: str | None,
) -> dict[str, Any]:
    """Return an envelope without its data. Few events have no account; many have no person."""
    envelope = {
        "id": event_id,
        "at": at,
        "actor": actor,
        "request": request_id,
        "account": account,
    }
    if person is not None:
        envelope["person"] = person
    return envelope


def lines_of(state: bytes) -> Lines:
    """Return the lines of a stored event; raises `ValueError` if it does not have three."""
    if not isinstance(state, bytes):
        raise ValueError("no bytes")
    opened, sealed, secret = state.split(b"\n")
    return Lines(opened, sealed, secret)


def open_line_of(state: bytes) -> bytes:
    """Return the first line of a stored event."""
    return state.partition(b"\n")[0]


def owner_of(stream: str, account: str | None, person: str | None) -> str:
    """
    Return the owner of what is personal in an event: its person, else its account, else its stream.

    Only parked receipts have neither a person nor an account (D-358).
    """
    return person or account or stream


def sealed_line(sealed: Mapping[str, str], owner: str) -> bytes:
    """Return the line with the sealed texts of an event's owner and of others."""
    texts = [text if each == owner else f"{each}{_OTHER}{text}" for each, text in sealed.items()]
    return " ".join(texts).encode()


def sealed_texts(line: bytes, owner: str) -> dict[str, str]:
    """Return the sealed texts of a line by owner; raises `ValueError` for two of one owner."""
    sealed: dict[str, str] = {}
    for each in line.decode("ascii").split(" "):
        other, named, text = each.rpartition(_OTHER)
        whose = other if named else owner
        if whose in sealed or (named and whose in ("", owner)):
            raise ValueError("two sealed texts for one owner")
        sealed[whose] = text
    return sealed


def is_pruned(state: bytes) -> bool:
    """Return whether the sealed line of a stored event was blanked, without taking the event apart."""
    # An open line has no line breaks, and a secret line begins with a brace.
    return b"\n~" in state
