"""Deciding a stream again: events that no command could have made are named by position (D-157)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from attrs import evolve

from tests.contracts.event_store.histories import FERN, event, second
from watchword.application.audit.checking import CLOCK_STEP
from watchword.application.audit.differences import Difference, Kind
from watchword.application.audit.replaying import Replaying
from watchword.application.ports.snapshot import KeptEvent
from watchword.domain.accounts.api_key import ApiKeyRevoked, ApiKeyUsed
from watchword.domain.channel import Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.event import Event
from watchword.domain.fallback_run import (
    FallbackArmed,
    FallbackDispatched,
    FallbackFired,
    FallbackStep,
    FallbackTriggered,
    TriggerReason,
)

KEY = "key_fern"
STEP = FallbackStep(
    person_id="per_guest", channel=Channel.SMS, sender="TEA", recipient="+911", sealed="x"
)
REFUSED = ChannelOutcome(channel=Channel.SMS, status=OutcomeStatus.REJECTED)


def differences(stream: str, *events: Event) -> Sequence[Difference]:
    """Return what is wrong with the events of a stream."""
    replaying = Replaying(stream, CLOCK_STEP)
    found: list[Difference] = []
    people = [getattr(each, "person_id", STEP.person_id) for each in events]
    for number, each in enumerate(events, start=1):
        kept = KeptEvent(
            position=number,
            stream=stream,
            version=number,
            topic=type(each).__name__,
            event=each,
            account=getattr(events[0], "account_id", None),
            people=tuple(people),
        )
        found += replaying.take(kept)
    return (*found, *replaying.end())


def test_a_lawful_life_has_no_difference() -> None:
    """A key is made, used, and revoked."""
    assert () == differences(
        KEY, event(FERN, 1), ApiKeyUsed(at=second(60)), ApiKeyRevoked(at=second(90))
    )


def test_an_event_that_no_command_makes_is_named() -> None:
    """The difference names its version, the expected decision, and its position."""
    (difference,) = differences(
        KEY, event(FERN, 1), ApiKeyRevoked(at=second(60)), ApiKeyUsed(at=second(90))
    )

    assert (3, Kind.LIFE, "version 3", "nothing", "ApiKeyUsed") == (
        difference.position,
        difference.kind,
        difference.field,
        difference.expected,
        difference.found,
    )


def test_a_stream_begins_once() -> None:
    """A first event in the middle of a life is named, and nothing is replayed behind it."""
    (difference,) = differences(
        KEY, event(FERN, 1), event(FERN, 1), ApiKeyUsed(at=second(60)), ApiKeyUsed(at=second(61))
    )

    assert (Kind.LIFE, "version 2", "nothing", "ApiKeyCreated") == (
        difference.kind,
        difference.field,
        difference.expected,
        difference.found,
    )


def test_a_stream_does_not_begin_in_the_middle() -> None:
    """A life without its first event is named by the events that it can begin with."""
    (difference,) = differences(KEY, ApiKeyUsed(at=second(60)))

    assert (Kind.FORM, "kind of version 1", "ApiKeyCreated", "ApiKeyUsed") == (
        difference.kind,
        difference.field,
        difference.expected,
        difference.found,
    )


def test_a_clock_may_be_set_right() -> None:
    """A minute back is a step of a clock; more is a difference, though the life is lawful."""
    made = evolve(event(FERN, 1), at=second(600))
    back = second(600) - CLOCK_STEP

    assert () == differences(KEY, made, ApiKeyRevoked(at=back))
    (difference,) = differences(KEY, made, ApiKeyRevoked(at=back - timedelta(microseconds=1)))
    assert (Kind.TIME, 2) == (difference.kind, difference.position)


def test_what_a_decision_adds_has_to_follow() -> None:
    """A step that is rejected triggers the next in the same append; without that, something is missing."""
    run = (
        FallbackArmed(
            at=second(0),
            account_id="acc_0",
            person_id="per_guest",
            message_id="msg_0",
            fallback_id="tea",
            waittime_seconds=60,
            deadline=second(60),
            steps=(STEP, evolve(STEP, channel=Channel.RCS)),
        ),
        FallbackTriggered(at=second(60), step=1, reason=TriggerReason.FAILED),
        FallbackFired(at=second(61), step=1, message_id="msg_1"),
        FallbackDispatched(at=second(62), step=1, outcome=REFUSED),
    )
    next_step = FallbackTriggered(at=second(62), step=2, reason=TriggerReason.REJECTED)

    assert () == differences("run_0", *run, next_step)
    (missing,) = differences("run_0", *run)
    assert ("what must follow", "FallbackTriggered", "nothing") == (
        missing.field,
        missing.expected,
        missing.found,
    )
