"""
The closed registry of stored events: every event of every decider by name and version.

A topic is a promise: events stored under it stay readable for ever. It consists of the class's name
and the version of its form, and of no module, so classes may move. Only registered classes are ever
loaded. A change of form raises the class's `SCHEMA`, and needs an upcaster from the old version and a
golden file. The golden files also detect a renamed class.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....application.records import RECORDS
from ....domain.event import Event

EVENT_TYPES: Mapping[tuple[str, int], type[Event]] = {
    (kind.__name__, kind.SCHEMA): kind for record in RECORDS for kind in record.decider.events
}
