"""
Upcasts old forms of events, one version at a time.

An upcaster takes the stored data of version n and returns that of version n + 1; its key is the
event's name and n.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


def _with_how_it_came_in(submitted: dict[str, Any]) -> dict[str, Any]:
    return {**submitted, "resource_type": "api", "tags": {}, "callback_url": None}


def _with_its_own_content(submitted: dict[str, Any]) -> dict[str, Any]:
    return {**submitted, "content_id": None, "link_codes": []}


def _with_contents_of_its_own(armed: dict[str, Any]) -> dict[str, Any]:
    return {**armed, "steps": [_with_its_own_content(step) for step in armed["steps"]]}


UPCASTERS: Mapping[tuple[str, int], Upcaster] = {
    ("MessageSubmitted", 1): _with_how_it_came_in,
    ("MessageSubmitted", 2): _with_its_own_content,
    ("FallbackArmed", 1): _with_contents_of_its_own,
}
