"""
Upcasters convert old forms of events, one version at a time.

An upcaster takes stored data of version n and returns data of version n + 1. Its key is the event's
name and n. The data have the members of all three lines; a personal member that this process cannot open
is missing, and may stay so. There are none yet, because no release has stored an event (D-320).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}
