"""The body of a callback, in the documented spelling (C-53)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ...application.callbacks.notification import Data, Notification
from ...domain.errors import camel
from .codec import encode, wire_time


def callback_body(notification: Notification, at: datetime) -> str:
    """Return the body of a callback in the form that is signed and sent; `at` is the event's time."""
    body = {
        "type": notification.type,
        "timestamp": wire_time(at),
        "data": _in_camel_case(notification.data),
    }
    return encode(body).decode()


def _in_camel_case(data: Data) -> Data:
    """Convert names of members to camel case, also in lists; custom references keep their names."""
    return {camel(name): _value(value) for name, value in data.items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_in_camel_case(each) if isinstance(each, dict) else each for each in value]
    return wire_time(value) if isinstance(value, datetime) else value
