"""The body of a callback, in the documented spelling (C-53)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ...application.callbacks.telling import Data, Told
from ...domain.errors import camel
from .codec import encode, wire_time


def callback_body(told: Told, at: datetime) -> str:
    """Give the body of a callback that tells of an event, as it is signed and sent."""
    body = {"type": told.type, "timestamp": wire_time(at), "data": _spelled(told.data)}
    return encode(body).decode()


def _spelled(data: Data) -> Data:
    """Spell the names of its members, and of those of its lists; custom references keep theirs."""
    return {camel(name): _value(value) for name, value in data.items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_spelled(each) if isinstance(each, dict) else each for each in value]
    return wire_time(value) if isinstance(value, datetime) else value
