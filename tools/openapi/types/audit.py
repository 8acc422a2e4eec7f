"""The types of the audit: the search of verifications, and the event log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NotRequired, TypedDict

from tools.openapi.schemas import Count, narrowed, reference, words
from tools.openapi.types.pins import Attempt, CodeReceipt
from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.application.pins.views import VerificationView
from watchword.domain.channel import Channel, OutcomeStatus
from watchword.domain.pin import PinStatus
from watchword.entrypoints.wire.log_heads import LogHead


class RecordedOutcome(TypedDict):
    """The outcome of a code on a channel."""

    channel: Channel
    channelAccountId: NotRequired[str]
    status: OutcomeStatus
    providerMessageId: NotRequired[str]
    errorCode: NotRequired[str]
    errorMessage: NotRequired[str]
    tried: NotRequired[list[Attempt]]
    receipt: NotRequired[CodeReceipt]


class Event(TypedDict):
    """An event in its envelope."""

    position: int
    eventId: str
    streamId: str
    version: int
    type: str
    schema: int
    occurredAt: datetime
    actor: str
    requestId: str
    person: NotRequired[str]
    data: Mapping[str, Any]


class LogHeads(TypedDict):
    """Signed heads, by the number of events that they cover."""

    data: list[LogHead]


class Events(TypedDict):
    """Events, and the position of the next ones."""

    data: list[Event]
    next: Count


_FROM_ONE = {"type": "integer", "minimum": 1}
_EVENT_TYPE = words(sorted({name for name, _ in EVENT_TYPES}))

NAMED: Mapping[str, Any] = {
    "RecordedPinStatus": PinStatus,
    "RecordedOutcome": RecordedOutcome,
    "Verification": narrowed(
        VerificationView,
        status=PinStatus,
        attemptsRemaining=Count,
        channels=list[RecordedOutcome],
    ),
    "EventType": _EVENT_TYPE,
    "Event": narrowed(
        Event,
        position=_FROM_ONE,
        version=_FROM_ONE,
        type=reference("EventType"),
        schema=_FROM_ONE,
    ),
    "Events": Events,
    "LogHead": narrowed(LogHead, size=_FROM_ONE),
    "LogHeads": LogHeads,
}
