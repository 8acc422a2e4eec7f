"""The texts of messages from people: typed, chosen, a place, or a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LONGEST = 10_000


def text_of(event: Mapping[str, Any]) -> str | None:
    """
    Return the text of a person's message; None for an event that is none.

    A chosen suggestion is its text, or its postback where Google names no text. A place is its degrees,
    and a file its address.
    """
    for member, read in (
        ("text", _typed),
        ("suggestionResponse", _chosen),
        ("location", _place),
        ("userFile", _file),
    ):
        if member in event:
            found = read(event[member])
            return None if found is None else found[:_LONGEST]
    return None


def _typed(text: object) -> str | None:
    return text if isinstance(text, str) else None


def _chosen(response: object) -> str | None:
    members = response if isinstance(response, dict) else {}
    return _typed(members.get("text")) or _typed(members.get("postbackData"))


def _place(place: object) -> str | None:
    members = place if isinstance(place, dict) else {}
    # Google leaves out a degree that is zero.
    degrees = [members.get(name, 0) for name in ("latitude", "longitude")]
    if not members or not all(map(_is_degree, degrees)):
        return None
    return ", ".join(f"{each:.7f}".rstrip("0").rstrip(".") for each in degrees)


def _is_degree(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    # The numbers of JSON have no bound.
    return -180 <= value <= 180


def _file(file: object) -> str | None:
    members = file if isinstance(file, dict) else {}
    payload = members.get("payload")
    return _typed(payload.get("fileUri")) if isinstance(payload, dict) else None
