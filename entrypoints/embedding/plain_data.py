"""Converts records and events to plain data for `json.dumps`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import attrs

from ...application.audit.reading_log import Replay
from ...application.evidence.proving import Consistency, Evidence
from ...application.guard.replay_figures import ReplayReport
from ...application.paging import Listed
from ...application.ports.event_store import Recorded
from ...application.statistics.views import StatisticsView
from ..sandbox.controls import Sandbox
from ..wire.codec import wire_time
from ..wire.evidence import consistency_record, evidence_record
from ..wire.figures import statistics_record
from ..wire.guard_replays import GuardReplay
from ..wire.rebuilding import rebuilt
from ..wire.shown_events import shown_event, shown_record
from .service import Service


def to_json(value: Any, *, mask: bool = True) -> Any:
    """
    Return a result of a service as data for `json.dumps`, in the wire's spelling (C-44).

    A result is a record, an event in its envelope, a page, a replay, or a sequence of them. Hashes,
    keys and sealed texts are always `***`. With `mask`, personal data is `***` too, and destinations
    keep only their ends. Raises `TypeError` for anything else.
    """
    match value:
        case Recorded():
            return shown_event(value, mask=mask)
        case Replay():
            envelopes = [shown_event(each, mask=mask) for each in value.events]
            # Rebuilt from the masked events, so that the state reveals nothing that they hide.
            return {"kind": value.kind, "events": envelopes, "state": rebuilt(envelopes).state}
        case ReplayReport():
            return shown_record(GuardReplay.of(value), mask=mask)
        case Evidence():
            return evidence_record(value)
        case Consistency():
            return consistency_record(value)
        case StatisticsView():
            return to_json(statistics_record(value), mask=mask)
        case Listed():
            return {
                "page": value.page,
                "pageSize": value.page_size,
                "total": value.total,
                "totalPages": value.total_pages,
                "data": to_json(value.data, mask=mask),
            }
        case list() | tuple():
            return [to_json(each, mask=mask) for each in value]
        case Mapping():
            return {str(name): to_json(each, mask=mask) for name, each in value.items()}
        case datetime():
            return wire_time(value)
        case None | bool() | int() | float() | str():
            return value
        case _ if attrs.has(type(value)) and not isinstance(value, Service | Sandbox):
            return shown_record(value, mask=mask)
        case _:
            raise TypeError(f"A {type(value).__name__} is nothing that a service gives.")
