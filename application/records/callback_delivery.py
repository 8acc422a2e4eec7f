"""The record of a delivery: one event for one callback endpoint."""

from __future__ import annotations

from datetime import datetime

from ...domain.event import personal
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row


@value(kw_only=True)
class CallbackDeliveryRow(Row):
    """
    One event for one endpoint. No event records it, so no replay restores it (D-67).

    `person_id` is the person of the message or PIN that the event is about; other events have none.
    A delivery with a `url` goes to the URL of a message; `endpoint_id` is then the id of the message.
    `event_version` is the event's version in its stream. `queued_at` is the start of its attempts; a
    redelivery resets it. `last_status` is the HTTP status of the last attempt's answer, and
    `last_answer` the beginning of its body if it was no success; `error` is the
    kind of its failure.
    """

    id: str
    account_id: str
    person_id: str | None
    endpoint_id: str
    url: str | None = personal()
    type: str
    event_id: str
    event_version: int
    body: str = personal()
    created_at: datetime
    queued_at: datetime
    status: str
    attempts: int
    last_status: int | None
    last_answer: str | None = personal()
    error: str | None
    next_attempt_at: datetime | None
    ended_at: datetime | None


CALLBACK_DELIVERIES = ReadModel(
    row=CallbackDeliveryRow,
    name="callback_deliveries",
    found_by=(
        FoundBy("callback_deliveries_by_endpoint", ("endpoint_id", "created_at", "id")),
        FoundBy(
            "callback_deliveries_by_person", ("person_id", "created_at", "id"), present="person_id"
        ),
        # For dropping old deliveries.
        FoundBy("callback_deliveries_by_end", ("ended_at",)),
    ),
    changing=(
        "queued_at",
        "status",
        "attempts",
        "last_status",
        "last_answer",
        "error",
        "next_attempt_at",
        "ended_at",
    ),
)
