"""The places of a template's JSON, and copies that differ in one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

GONE = object()


def places(part: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield every place of a template: its path, its container, and its key."""
    members = part.items() if isinstance(part, dict) else enumerate(part)
    for key, value in list(members):
        here = f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}".lstrip(".")
        yield here, part, key
        if isinstance(value, dict | list):
            yield from places(value, here)


def changed(template: Any, path: str, value: Any = GONE) -> Any:
    """Return a copy with another value in one place, or without that place."""
    template = json.loads(json.dumps(template))
    holder, key = next((holder, key) for here, holder, key in places(template) if here == path)
    if value is GONE:
        del holder[key]
    else:
        holder[key] = value
    return template
