"""Paths to members of an answer: `messages.0.id`, or a pointer of RFC 6901 (C-63)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Path = tuple[str, ...]
# Stands for a member that is not there; a member may also be null.
MISSING: Any = object()


def read_path(text: str) -> Path:
    """Return the steps of a path; raises `ValueError` for one that is neither of the two forms."""
    if text.startswith("/"):
        return tuple(each.replace("~1", "/").replace("~0", "~") for each in text[1:].split("/"))
    steps = tuple(text.split("."))
    if not all(steps):
        raise ValueError("must be a path such as messages.0.id or /messages/0/id")
    return steps


def member(document: Any, path: Path) -> Any:
    """Return the member of a document at a path; `MISSING` if there is none."""
    found = document
    for step in path:
        if isinstance(found, Mapping):
            found = found.get(step, MISSING)
        elif isinstance(found, Sequence) and not isinstance(found, str | bytes):
            is_index = step.isascii() and step.isdecimal() and len(step) <= 9
            found = found[int(step)] if is_index and int(step) < len(found) else MISSING
        else:
            return MISSING
    return found


def text_of(value: Any) -> str | None:
    """Return a text, number or truth value as text; None for anything else, and for an empty text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) or None if isinstance(value, str | int | float) else None
