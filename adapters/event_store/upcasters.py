"""
Old forms of events, brought forward one version at a time.

An upcaster takes the stored data of version n and gives that of version n + 1; it is keyed by the
event's name and n.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


def _with_how_it_came_in(submitted: dict[str, Any]) -> dict[str, Any]:
    return {**submitted, "resource_type": "api", "tags": {}, "callback_url": None}


UPCASTERS: Mapping[tuple[str, int], Upcaster] = {("MessageSubmitted", 1): _with_how_it_came_in}
