"""
The fallback sequence as a workflow: outcomes, receipts and ticks in, decisions out (C-20, C-50).

Every step passes the same stages. `FallbackTriggered` decides the race for the step once. A silent
attempt before the step is ended. `FallbackFired` precedes the one send. A command that loses the race
decides nothing. After a crash, `run.life` and `run.undispatched` show what remains to do.
"""

from __future__ import annotations

from datetime import datetime, timedelta

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
from .events import (
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
from .stages import Triggered, Waiting
from .states import FallbackRun

_NOTHING = Decision()


def arm(command: ArmFallback) -> Decision:
    """Start a run; its first wait ends after one waittime."""
    own_ttl = command.ttl_seconds
    armed = FallbackArmed(
        at=command.at,
        account_id=command.account_id,
        person_id=command.person_id,
        message_id=command.message_id,
        fallback_id=command.fallback_id,
        waittime_seconds=command.waittime_seconds,
        deadline=command.at + timedelta(seconds=command.waittime_seconds),
        steps=command.steps,
        # A longer one is capped at the waittime (C-20).
        ttl_seconds=own_ttl if own_ttl and own_ttl < command.waittime_seconds else None,
    )
    return Decision((armed,))


def primary_outcome(run: FallbackRun, command: TakePrimaryOutcome) -> Decision:
    """
    Trigger the first step at once if the primary was rejected (C-20).

    An unknown outcome is no rejection: the message may arrive, so the run waits until its deadline
    (C-68).
    """
    if isinstance(run.life, Waiting) and run.life.step == 1 and command.outcome.refused:
        return _triggered(command.at, 1, TriggerReason.REJECTED)
    return _NOTHING


def take_receipt(run: FallbackRun, command: TakeAttemptReceipt) -> Decision:
    """
    Stand down if the newest attempt arrived; trigger the next step if it failed.

    An arrival still counts after the deadline, until the attempt has been ended (D-36).
    """
    if command.message_id != run.live_message_id:
        return _older_attempt(run, command)
    match run.life:
        case Waiting(step=step) if command.status.arrived:
            return _stood_down(command.at, step)
        case Waiting(step=step) if command.status is ReceiptStatus.FAILED:
            return _triggered(command.at, step, TriggerReason.FAILED)
        case Triggered(step=step, ended=False) if command.status.arrived:
            return _stood_down(command.at, step)
        case _:
            return _NOTHING


def tick(run: FallbackRun, command: Tick) -> Decision:
    """Trigger the next step if its deadline has passed."""
    match run.life:
        case Waiting(step=step, deadline=datetime() as deadline) if command.at >= deadline:
            return _triggered(command.at, step, TriggerReason.DEADLINE)
        case _:
            return _NOTHING


def ended(run: FallbackRun, command: TakeEnding) -> Decision:
    """
    Record how the silent attempt before a step was ended. The step may now fire, or the run stands down.

    Unless the attempt was delivered, the caller puts `message.end` into the same append, on the
    attempt's own stream.
    """
    if not _in_turn(run, command.step, ended=False):
        return _NOTHING
    revoked = AttemptEnded(at=command.at, step=command.step, outcome=command.outcome)
    if command.outcome is RevokeOutcome.DELIVERED:
        return Decision((revoked, *_stood_down(command.at, command.step).events))
    return Decision((revoked,))


def fire(run: FallbackRun, command: FireStep) -> Decision:
    """Fire a triggered step once; only the caller that records this may send it (C-20)."""
    if not _in_turn(run, command.step, ended=True):
        return _NOTHING
    return Decision(
        (FallbackFired(at=command.at, step=command.step, message_id=command.message_id),)
    )


def record_step_dispatch(run: FallbackRun, command: RecordStepDispatch) -> Decision:
    """
    Record the outcome of a step's dispatch; a rejection triggers the next step at once (C-50).

    A known outcome is final. A known outcome that follows an unknown one from recovery is recorded too
    (D-11).
    """
    if not _outcome_wanted(run, command.step):
        return _NOTHING
    dispatched = FallbackDispatched(at=command.at, step=command.step, outcome=command.outcome)
    following = command.step + 1
    waits = isinstance(run.life, Waiting) and run.life.step == following
    if waits and command.outcome.refused:
        next_step = _triggered(command.at, following, TriggerReason.REJECTED)
        return Decision((dispatched, *next_step.events))
    return Decision((dispatched,))


def reject_step(run: FallbackRun, command: RejectStep) -> Decision:
    """
    End the run at a triggered step that cannot be sent (C-21), or pass over it (D-73).

    The attempt before it may still be on its way, because nothing is sent for this step.
    """
    if not isinstance(run.life, Triggered) or run.life.step != command.step:
        return _NOTHING
    if command.passing_over and command.step < len(run.steps):
        return Decision(
            (StepPassedOver(at=command.at, step=command.step, error_code=command.error_code),)
        )
    return Decision(
        (FallbackRejected(at=command.at, step=command.step, error_code=command.error_code),)
    )


def call_off(run: FallbackRun, command: CallOff) -> Decision:
    """End a run before its next step, which may have been sent already (D-64)."""
    if not isinstance(run.life, Waiting | Triggered):
        return _NOTHING
    return Decision(
        (FallbackRejected(at=command.at, step=run.life.step, error_code=command.error_code),)
    )


def _older_attempt(run: FallbackRun, command: TakeAttemptReceipt) -> Decision:
    """Stand down the step that the run waits for if an older attempt arrived after all."""
    if (
        isinstance(run.life, Waiting)
        and command.status.arrived
        and run.has_sent(command.message_id)
    ):
        return _stood_down(command.at, run.life.step)
    return _NOTHING


def _in_turn(run: FallbackRun, step: int, *, ended: bool) -> bool:
    life = run.life
    return isinstance(life, Triggered) and life.step == step and life.ended is ended


def _outcome_wanted(run: FallbackRun, number: int) -> bool:
    if not 1 <= number <= len(run.steps):
        return False
    step = run.steps[number - 1]
    return step.message_id is not None and (step.outcome is None or not step.outcome.known)


def _triggered(at: datetime, step: int, reason: TriggerReason) -> Decision:
    return Decision((FallbackTriggered(at=at, step=step, reason=reason),))


def _stood_down(at: datetime, step: int) -> Decision:
    return Decision((FallbackStoodDown(at=at, step=step),))
