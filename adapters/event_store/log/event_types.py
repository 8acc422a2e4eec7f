"""
The closed registry of stored events: every event of every decider, under its name and version.

A topic is a promise: an event stored under it must be readable for ever. It names the event's class
and the version of its form, never a module, so classes may move; nothing outside this registry is
ever loaded. A change of form raises `SCHEMA` of the class, and needs an upcaster from the old version
and a golden file. The golden files also catch a class that is renamed.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....application.records import RECORDS
from ....domain.event import Event

EVENT_TYPES: Mapping[tuple[str, int], type[Event]] = {
    (kind.__name__, kind.SCHEMA): kind for record in RECORDS for kind in record.decider.events
}
