"""The body of a callback, in the documented spelling (C-53)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ...application.callbacks.notification import Data, Notification
from ...domain.errors import camel
from .codec import encode, wire_time


def callback_body(notification: Notification, at: datetime) -> str:
    """Return the body of a callback for an event of this time, as it is signed and sent."""
    body = {
        "type": notification.type,
        "timestamp": wire_time(at),
        "data": _spelled(notification.data),
    }
    return encode(body).decode()


def _spelled(data: Data) -> Data:
    """Spell the names of its members, and of those of its lists; custom references keep theirs."""
    return {camel(name): _value(value) for name, value in data.items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_spelled(each) if isinstance(each, dict) else each for each in value]
    return wire_time(value) if isinstance(value, datetime) else value
