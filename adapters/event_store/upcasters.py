"""
Old forms of events, brought forward one version at a time.

An upcaster takes the stored data of version n and gives that of version n + 1; it is keyed by the
event's name and n. None is needed yet: every event is in its first form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
