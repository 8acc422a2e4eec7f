"""Reads the objects of a wire that may be unfinished: what is missing or of a wrong type is empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def at(value: Any, *names: str) -> Any:
    """Return a member of members of a wire's object; None where one of them is missing."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def text_at(value: Any, *names: str) -> str:
    """Return a text in a wire's object; empty if it is missing or no text."""
    found = at(value, *names)
    return found if isinstance(found, str) else ""


def list_at(value: Any, *names: str) -> list[Any]:
    """Return a list in a wire's object; empty if it is missing or no list."""
    found = at(value, *names)
    return [*found] if isinstance(found, list | tuple) else []


def texts_at(value: Any, *names: str) -> list[str]:
    """Return the texts of a list in a wire's object."""
    return [each for each in list_at(value, *names) if isinstance(each, str)]
