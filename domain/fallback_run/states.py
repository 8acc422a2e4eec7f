"""The state of a fallback run, and how events change it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, assert_never, get_args

import attrs
from attrs import frozen

from ..decider import Decider
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
from .stages import (
    Fired,
    Life,
    Rejected,
    RunStatus,
    Step,
    StepStatus,
    StoodDown,
    Triggered,
    Waiting,
)

LaterFallbackRunEvent = (
    FallbackTriggered
    | AttemptEnded
    | FallbackFired
    | FallbackDispatched
    | FallbackRejected
    | StepPassedOver
    | FallbackStoodDown
)
FallbackRunEvent = FallbackArmed | LaterFallbackRunEvent


@frozen(kw_only=True)
class FallbackRun:
    """The state of a run."""

    account_id: str
    person_id: str
    message_id: str
    fallback_id: str
    waittime_seconds: int
    steps: tuple[Step, ...]
    life: Life
    ttl_seconds: int | None = None
    created_at: datetime
    updated_at: datetime

    @property
    def status(self) -> RunStatus:
        """
        The status of C-51.

        A run that has fired stays `fired` when a later step stands down. A rejected step makes any
        run `rejected`.
        """
        if isinstance(self.life, Rejected):
            return RunStatus.REJECTED
        if any(step.message_id for step in self.steps):
            return RunStatus.FIRED
        return RunStatus.STOOD_DOWN if isinstance(self.life, StoodDown) else RunStatus.ARMED

    @property
    def over(self) -> bool:
        """Whether the run fires no more steps."""
        return isinstance(self.life, Fired | StoodDown | Rejected)

    @property
    def deadline(self) -> datetime | None:
        """The end of the current wait; None if the run waits for nothing."""
        return self.life.deadline if isinstance(self.life, Waiting) else None

    @property
    def live_message_id(self) -> str:
        """The newest attempt: the message of the last step that was fired, or the primary."""
        fired = [step.message_id for step in self.steps if step.message_id is not None]
        return fired[-1] if fired else self.message_id

    def number_of(self, message_id: str) -> int:
        """Return the number of the step that a message was sent as; 0 for any other message."""
        sent = (
            number for number, step in enumerate(self.steps, 1) if step.message_id == message_id
        )
        return next(sent, 0)

    def has_sent(self, message_id: str) -> bool:
        """Return whether a message belongs to this run; the primary does."""
        return message_id == self.message_id or self.number_of(message_id) > 0

    def ttl_of(self, number: int) -> int | None:
        """Return for how many seconds a step's message is worth delivering; None for the last step (C-20)."""
        return self.waittime_seconds if number < len(self.steps) else None

    @property
    def live_seconds(self) -> int:
        """The seconds for which the newest attempt is worth delivering; a primary may have fewer (C-50)."""
        is_primary = self.live_message_id == self.message_id
        return (self.ttl_seconds if is_primary else None) or self.waittime_seconds

    @property
    def undispatched(self) -> int | None:
        """The step that was fired and has no recorded outcome; None if there is none."""
        pending = [
            number
            for number, step in enumerate(self.steps, start=1)
            if step.status is StepStatus.FIRED
        ]
        return pending[-1] if pending else None

    @property
    def needs_seal(self) -> bool:
        """Whether the run may still send or resend a sealed content; its key is then kept (C-23)."""
        return not self.over or self.undispatched is not None


def begin(event: FallbackArmed) -> FallbackRun:
    """Return the state after the first event."""
    return FallbackRun(
        account_id=event.account_id,
        person_id=event.person_id,
        message_id=event.message_id,
        fallback_id=event.fallback_id,
        waittime_seconds=event.waittime_seconds,
        steps=tuple(Step(planned=planned) for planned in event.steps),
        life=Waiting(1, event.deadline),
        ttl_seconds=event.ttl_seconds,
        created_at=event.at,
        updated_at=event.at,
    )


def evolve(run: FallbackRun, event: LaterFallbackRunEvent) -> FallbackRun:
    """Apply a later event."""
    run = attrs.evolve(run, updated_at=event.at)
    match event:
        case FallbackTriggered(step=step, reason=reason):
            # An attempt that failed or was rejected has ended by itself.
            ended = reason is not TriggerReason.DEADLINE
            return attrs.evolve(run, life=Triggered(step, reason, ended))
        case AttemptEnded(step=step):
            return attrs.evolve(run, life=Triggered(step, TriggerReason.DEADLINE, ended=True))
        case FallbackFired():
            return _fired(run, event)
        case FallbackDispatched():
            return _dispatched(run, event)
        case FallbackRejected(step=step, error_code=error_code):
            return _over(
                _with_step(run, step, status=StepStatus.REJECTED, error_code=error_code),
                Rejected(step),
            )
        case StepPassedOver():
            return _passed_over(run, event)
        case FallbackStoodDown(step=step):
            return _over(run, StoodDown(step))
        case _:
            assert_never(event)


def _fired(run: FallbackRun, event: FallbackFired) -> FallbackRun:
    another = event.step < len(run.steps)
    return attrs.evolve(
        _with_step(run, event.step, status=StepStatus.FIRED, message_id=event.message_id),
        life=Waiting(event.step + 1, None) if another else Fired(),
    )


def _dispatched(run: FallbackRun, event: FallbackDispatched) -> FallbackRun:
    outcome, life = event.outcome, run.life
    if isinstance(life, Waiting) and life.step == event.step + 1:
        life = Waiting(life.step, event.at + timedelta(seconds=run.waittime_seconds))
    return attrs.evolve(
        _with_step(
            run,
            event.step,
            status=StepStatus.REJECTED if outcome.counts_as_rejected else StepStatus.ACCEPTED,
            outcome=outcome,
            error_code=outcome.error_code,
        ),
        life=life,
    )


def _passed_over(run: FallbackRun, event: StepPassedOver) -> FallbackRun:
    life = run.life
    if isinstance(life, Triggered):
        # The next step keeps the reason, and whether the attempt before it has ended.
        life = attrs.evolve(life, step=event.step + 1)
    return attrs.evolve(
        _with_step(run, event.step, status=StepStatus.REJECTED, error_code=event.error_code),
        life=life,
    )


def _over(run: FallbackRun, life: Life) -> FallbackRun:
    def rest(step: Step) -> Step:
        armed = step.status is StepStatus.ARMED
        return attrs.evolve(step, status=StepStatus.STOOD_DOWN) if armed else step

    return attrs.evolve(run, life=life, steps=tuple(rest(step) for step in run.steps))


def _with_step(run: FallbackRun, number: int, **became: Any) -> FallbackRun:
    return attrs.evolve(
        run,
        steps=tuple(
            attrs.evolve(step, **became) if place == number else step
            for place, step in enumerate(run.steps, start=1)
        ),
    )


fallback_run_decider: Decider[FallbackRun] = Decider(
    "fallback_run", begin, (FallbackArmed,), evolve, get_args(LaterFallbackRunEvent)
)
