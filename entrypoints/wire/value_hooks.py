"""Hooks that structure single values; each takes a value and its type, or raises `ValueError`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

from ...domain.rate_limit import Duration, Rate

# Whole numbers below it are exact as floats.
_TOO_LARGE = 2**53
_HALF = re.compile("[\ud800-\udfff]")


def exactly(kind: type, said: str, value: Any, _: Any) -> Any:
    """Return a value of exactly this type; a subtype is refused, so `true` is no integer."""
    if type(value) is not kind:
        raise ValueError(said)
    return value


def number(value: Any, _: Any) -> float:
    """Return a number, whole or not; what is too large for a float is refused as well."""
    if type(value) is int and abs(value) < _TOO_LARGE:
        return float(value)
    if type(value) is not float or not math.isfinite(value):
        raise ValueError("must be a number")
    return value


def text(value: Any, _: Any) -> str:
    """Return a text that every store can hold."""
    if type(value) is not str:
        raise ValueError("must be a text")
    # `read_json` finds these in JSON; this check is for embedders' texts (C-65).
    if "\0" in value or (not value.isascii() and _HALF.search(value)):
        raise ValueError("must not have \\u0000 or half a surrogate pair")
    return value


def member(value: Any, kind: type[StrEnum]) -> StrEnum:
    """Return the enumeration's member with this text."""
    try:
        return kind(value)
    except ValueError:
        raise _other_than(kind) from None


def one_of(members: Sequence[Any], value: Any, _: Any) -> Any:
    """Return the member that equals a value."""
    if value not in members:
        raise _other_than(members)
    # Return the member instead of the equal text.
    return members[members.index(value)]


def _other_than(members: Iterable[str]) -> ValueError:
    return ValueError(f"must be one of {', '.join(members)}")


def time(value: Any, _: Any) -> datetime:
    """Return a time in UTC; a time without a zone counts as UTC."""
    try:
        at = value if isinstance(value, datetime) else datetime.fromisoformat(value)
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        raise ValueError("must be an ISO 8601 time such as 2030-01-31T12:00:00Z") from None


def day(value: Any, _: Any) -> date:
    """Return a day."""
    try:
        return date.fromisoformat(value)
    except (ValueError, TypeError):
        raise ValueError("must be an ISO 8601 day such as 2030-01-31") from None


def rate_or_duration(value: Any, kind: type[Rate] | type[Duration]) -> Any:
    """Return a rate or a duration from itself or its text."""
    if isinstance(value, kind):
        return value
    if not isinstance(value, str):
        raise ValueError("must be a text")
    return kind(value)
