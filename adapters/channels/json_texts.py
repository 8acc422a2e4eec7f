"""Read JSON that others wrote, whatever it is (C-70)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


def json_in(text: str | bytes, default: Any = None) -> Any:
    """Return the value of a JSON text; `default` if it cannot be read."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return default


def object_in(text: str | bytes) -> Mapping[str, Any] | None:
    """Return the object that a JSON text is; None if it is something else, or cannot be read."""
    value = json_in(text)
    return value if isinstance(value, dict) else None
