"""Repeat the decisions that a fallback run's events record, each on the state before it (D-157)."""

from __future__ import annotations

from typing import assert_never

import attrs

from ..channel import ChannelOutcome, OutcomeStatus
from ..decider import Decision
from ..receipt import ReceiptStatus
from .commands import (
    ArmFallback,
    CallOff,
    FireStep,
    RecordStepDispatch,
    RejectStep,
    TakeAttemptReceipt,
    TakeEnding,
    TakePrimaryOutcome,
    Tick,
)
from .decide import (
    arm,
    call_off,
    ended,
    fire,
    primary_outcome,
    record_step_dispatch,
    reject_step,
    take_receipt,
    tick,
)
from .events import (
    AttemptEnded,
    FallbackArmed,
    FallbackDispatched,
    FallbackFired,
    FallbackRejected,
    FallbackStoodDown,
    FallbackTriggered,
    StepPassedOver,
    TriggerReason,
)
from .stages import Waiting
from .states import FallbackRun, FallbackRunEvent


def redecide(run: FallbackRun | None, event: FallbackRunEvent) -> Decision:
    """
    Repeat the decision that an event records.

    The receipts of a run's messages are in other streams. The event is trusted about them.
    """
    if isinstance(event, FallbackArmed):
        return _armed(event) if run is None else Decision()
    if run is None:
        return Decision()
    match event:
        case FallbackTriggered():
            return _triggered(run, event)
        case AttemptEnded():
            return ended(run, TakeEnding(at=event.at, step=event.step, outcome=event.outcome))
        case FallbackFired():
            return fire(run, FireStep(at=event.at, step=event.step, message_id=event.message_id))
        case FallbackDispatched():
            return record_step_dispatch(
                run, RecordStepDispatch(at=event.at, step=event.step, outcome=event.outcome)
            )
        case FallbackRejected() if isinstance(run.life, Waiting):
            return call_off(run, CallOff(at=event.at, error_code=event.error_code))
        case FallbackRejected():
            return reject_step(
                run, RejectStep(at=event.at, step=event.step, error_code=event.error_code)
            )
        case StepPassedOver():
            passed = RejectStep(
                at=event.at, step=event.step, error_code=event.error_code, passing_over=True
            )
            return reject_step(run, passed)
        case FallbackStoodDown():
            return _after_receipt(run, event, ReceiptStatus.DELIVERED)
        case _:
            assert_never(event)


def _armed(event: FallbackArmed) -> Decision:
    # The rule for contents in clear may have become stricter, so contents are left out.
    steps = tuple(attrs.evolve(step, content=None) for step in event.steps)
    command = ArmFallback(
        at=event.at,
        account_id=event.account_id,
        person_id=event.person_id,
        message_id=event.message_id,
        fallback_id=event.fallback_id,
        waittime_seconds=event.waittime_seconds,
        steps=steps,
        ttl_seconds=event.ttl_seconds,
    )
    armed = [each for each in arm(command).events if isinstance(each, FallbackArmed)]
    return Decision(tuple(attrs.evolve(each, steps=event.steps) for each in armed))


def _triggered(run: FallbackRun, event: FallbackTriggered) -> Decision:
    match event.reason:
        case TriggerReason.DEADLINE:
            return tick(run, Tick(at=event.at))
        case TriggerReason.FAILED:
            return _after_receipt(run, event, ReceiptStatus.FAILED)
        case TriggerReason.REJECTED:
            refused = ChannelOutcome(channel="", status=OutcomeStatus.REJECTED)
            return primary_outcome(run, TakePrimaryOutcome(at=event.at, outcome=refused))
        case _:
            assert_never(event.reason)


def _after_receipt(
    run: FallbackRun, event: FallbackTriggered | FallbackStoodDown, status: ReceiptStatus
) -> Decision:
    return take_receipt(
        run, TakeAttemptReceipt(at=event.at, message_id=run.live_message_id, status=status)
    )
