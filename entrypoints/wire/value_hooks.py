"""How single values become typed: each hook takes a value and its type, or raises `ValueError`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from ...domain.rate_limit import Duration, Rate

_HALF = re.compile("[\ud800-\udfff]")


def exactly(kind: type, said: str, value: Any, _: Any) -> Any:
    """Take a value of one type, and of none of its subtypes: `true` is no integer."""
    if type(value) is not kind:
        raise ValueError(said)
    return value


def text(value: Any, _: Any) -> str:
    """Take a text that every store can hold."""
    if type(value) is not str:
        raise ValueError("must be a text")
    # JSON is searched for these whole, embedders' texts one by one (C-65).
    if "\0" in value or (not value.isascii() and _HALF.search(value)):
        raise ValueError("must not have \\u0000 or half a surrogate pair")
    return value


def member(value: Any, kind: type[StrEnum]) -> StrEnum:
    """Take the member of an enumeration that a text names."""
    try:
        return kind(value)
    except ValueError:
        raise _other_than(kind) from None


def one_of(members: Sequence[Any], value: Any, _: Any) -> Any:
    """Take the member that equals a value."""
    if value not in members:
        raise _other_than(members)
    # The member itself, and not the text that equals it.
    return members[members.index(value)]


def _other_than(members: Iterable[str]) -> ValueError:
    return ValueError(f"must be one of {', '.join(members)}")


def time(value: Any, _: Any) -> datetime:
    """Take a moment; a time without a zone is UTC."""
    try:
        at = value if isinstance(value, datetime) else datetime.fromisoformat(value)
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        raise ValueError("must be an ISO 8601 time such as 2030-01-31T12:00:00Z") from None


def rate_or_duration(value: Any, kind: type[Rate] | type[Duration]) -> Any:
    """Take a rate or a duration, or the text of one."""
    if isinstance(value, kind):
        return value
    if not isinstance(value, str):
        raise ValueError("must be a text")
    return kind(value)
