"""Events as operators see them (C-38): secrets never, personal data masked on request."""

from __future__ import annotations

from typing import Any

from ...application.ports.event_store import Recorded
from ...domain.destination import masked
from ...domain.errors import camel
from ...domain.event import MASK, Event, personal_fields, secret_fields
from .codec import unstructure, wire_time


def shown_event(recorded: Recorded, *, mask: bool) -> dict[str, Any]:
    """Give one event in its envelope."""
    return {
        "position": recorded.position,
        "eventId": recorded.event_id,
        "streamId": recorded.stream,
        "version": recorded.version,
        "type": recorded.type,
        "schema": recorded.schema,
        "occurredAt": wire_time(recorded.event.at),
        "actor": recorded.actor,
        "requestId": recorded.request_id,
        "data": shown_data(recorded.event, mask=mask),
    }


def shown_data(event: Event, *, mask: bool) -> dict[str, Any]:
    """Give an event's own data; code hashes and key hashes read `***` (C-31)."""
    data: dict[str, Any] = unstructure(event)
    del data["at"]
    for name in secret_fields(type(event)):
        data[camel(name)] = MASK
    if mask:
        for name in personal_fields(type(event)):
            value = data[camel(name)]
            if value is not None:
                data[camel(name)] = masked(value) if name == "destination" else MASK
    return data
