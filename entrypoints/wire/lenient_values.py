"""Types of values with more than one allowed spelling, for `structuring` (D-42)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NewType

from .strict_json import read_json

# An integer, or a text of its digits.
WholeNumber = NewType("WholeNumber", int)
# True or false, or 1 or 0.
Flag = NewType("Flag", bool)
# A local time, with a T or a blank between date and hour.
LocalTime = NewType("LocalTime", datetime)
# Texts by name, or the JSON text of such an object.
JsonTexts = NewType("JsonTexts", dict[str, str])

_DIGITS = re.compile("[0-9]{1,9}")
_LOCAL_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3})?")


def _whole_number(value: Any, _: Any) -> int:
    if type(value) is int:
        return value
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    raise ValueError("must be an integer, or 1 to 9 digits as a text")


def _flag(value: Any, _: Any) -> bool:
    if type(value) not in (bool, int) or value not in (0, 1):
        raise ValueError("must be 0 or 1, or false or true")
    return bool(value)


def _local_time(value: Any, _: Any) -> datetime:
    if isinstance(value, str) and _LOCAL_TIME.fullmatch(value):
        try:
            # The service's local time is UTC (D-65).
            return datetime.fromisoformat(value).replace(tzinfo=UTC)
        except ValueError:
            pass
    raise ValueError("must be a local time such as 2030-01-31T12:00:00")


def _json_texts(value: Any, _: Any) -> dict[str, str]:
    held = read_json(value) if isinstance(value, str) else value
    if not isinstance(held, dict):
        raise ValueError("must be an object, or the JSON text of one")
    for name, each in held.items():
        if not isinstance(each, str):
            raise ValueError(f"must have texts only, unlike at {name[:100]!r}")
    return held


LENIENT: Mapping[Any, Callable[[Any, Any], Any]] = {
    WholeNumber: _whole_number,
    Flag: _flag,
    LocalTime: _local_time,
    JsonTexts: _json_texts,
}
