"""The events of fallback runs in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....domain.channel import OutcomeStatus
from ....domain.event import Event
from ....domain.fallback_run import (
    AttemptEnded,
    FallbackArmed,
    FallbackDispatched,
    FallbackFired,
    FallbackRejected,
    FallbackStoodDown,
    FallbackTriggered,
    RevokeOutcome,
    StepPassedOver,
    TriggerReason,
)
from .telling import Told, bad, because, channel_words, counted, good, listed, warn


def _armed(event: FallbackArmed) -> Told:
    steps = listed((channel_words(each.channel) for each in event.steps), last="then")
    wait = counted(event.waittime_seconds, "second")
    return Told(f"A fallback run stands by: {steps}. Each attempt has {wait} to arrive.")


_REASONS = {
    TriggerReason.DEADLINE: "the time for the attempt before it is over",
    TriggerReason.FAILED: "the attempt before it failed",
    TriggerReason.REJECTED: "the attempt before it was rejected",
}
_ENDINGS = {
    RevokeOutcome.REVOKED: "was revoked at its provider",
    RevokeOutcome.DELIVERED: "turned out to have arrived",
    RevokeOutcome.NOT_REVOKED: "could not be revoked, and counts as expired",
}


def _dispatched(event: FallbackDispatched) -> Told:
    match event.outcome.status:
        case OutcomeStatus.ACCEPTED:
            return good(f"The provider took the message of step {event.step}.")
        case OutcomeStatus.REJECTED:
            code = because(event.outcome.error_code)
            return bad(f"The message of step {event.step} was rejected{code}.")
        case _:
            return warn(f"Nobody knows whether the provider took the message of step {event.step}.")


FALLBACK_STORIES: Mapping[type[Event], Any] = {
    FallbackArmed: _armed,
    FallbackTriggered: lambda event: Told(
        f"Step {event.step} is due, because {_REASONS[event.reason]}."
    ),
    AttemptEnded: lambda event: Told(
        f"The attempt before step {event.step} {_ENDINGS[event.outcome]}."
    ),
    FallbackFired: lambda event: Told(f"Step {event.step} is being sent."),
    FallbackDispatched: _dispatched,
    FallbackRejected: lambda event: bad(
        f"Step {event.step} cannot be sent{because(event.error_code)}. The run is over."
    ),
    StepPassedOver: lambda event: warn(
        f"Step {event.step} may not be sent{because(event.error_code)}. The next step is due."
    ),
    FallbackStoodDown: lambda event: good(
        f"The attempt before step {event.step} arrived, so nothing more is sent."
    ),
}
