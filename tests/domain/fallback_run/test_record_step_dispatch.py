"""Take down how a step's dispatch went: C-20, C-50, D-11, D-35."""

import pytest

from tests.domain.fallback_run.story import (
    BY_FAILURE,
    BY_REJECTION,
    DELIVERED,
    FAILED,
    FIRST,
    PLACES,
    SMS,
    WAIT,
    dispatched,
    everywhere_but,
    fired,
    hear,
    interrupted,
    refused,
    second,
    stayed_silent,
    step_was,
    stood_down,
    took,
    triggered,
    up_to_the_first_fire,
)
from tests.specs import given, state_after
from watchword.domain.channel import ChannelOutcome
from watchword.domain.event import Event
from watchword.domain.fallback_run import (
    Fired,
    RunStatus,
    StepStatus,
    StoodDown,
    Triggered,
    Waiting,
    record_step_dispatch,
    take_receipt,
)


@pytest.mark.parametrize(
    "outcome",
    [took(), stayed_silent(), interrupted()],
    ids=["accepted", "timed out", "interrupted"],
)
def test_a_step_that_may_arrive_begins_the_wait_of_the_next(outcome: ChannelOutcome) -> None:
    """The wait is a full waittime from now, after an unknown outcome too (C-50, C-68, D-35)."""
    (
        given(*PLACES["fired"])
        .when(record_step_dispatch, step_was(65, outcome))
        .then(dispatched(65, outcome))
        .on_condition()
        .leaving(life=Waiting(2, second(65 + WAIT)), undispatched=None, status=RunStatus.FIRED)
    )


def test_a_rejected_step_triggers_the_next_at_once() -> None:
    """Without a wait, and with nothing to end (C-50)."""
    (
        given(*PLACES["fired"])
        .when(record_step_dispatch, step_was(65, refused()))
        .then(dispatched(65, refused()), triggered(65, BY_REJECTION, step=2))
        .leaving(life=Triggered(2, BY_REJECTION, ended=True))
    )


@pytest.mark.parametrize(
    ("outcome", "status", "error"),
    [
        (took(), StepStatus.ACCEPTED, None),
        (refused(), StepStatus.REJECTED, "no_such_table"),
        (stayed_silent(), StepStatus.REJECTED, "provider_timeout"),
        (interrupted(), StepStatus.ACCEPTED, "dispatch_interrupted"),
    ],
)
def test_the_last_step_ends_the_run_as_fired_whatever_came_of_it(
    outcome: ChannelOutcome, status: StepStatus, error: str | None
) -> None:
    """No silent end: the step shows its own status and error (C-51), and its seal may go."""
    past = up_to_the_first_fire(SMS)
    ending = given(*past).when(record_step_dispatch, step_was(65, outcome))
    step = state_after(*past, dispatched(65, outcome)).steps[0]

    ending.then(dispatched(65, outcome))
    ending.leaving(life=Fired(), status=RunStatus.FIRED, over=True, needs_seal=False)
    assert (status, error, FIRST) == (step.status, step.error_code, step.message_id)


def test_an_outcome_that_comes_after_the_receipt_is_recorded_and_decides_nothing() -> None:
    """The receipt was faster: stood down stays so, and a trigger is not repeated."""
    delivered = given(*PLACES["fired"], stood_down(61, step=2))
    failed = given(*PLACES["fired"], triggered(61, BY_FAILURE, step=2))

    (
        delivered.when(record_step_dispatch, step_was(65, refused()))
        .then(dispatched(65, refused()))
        .leaving(life=StoodDown(2), needs_seal=False)
    )
    (
        failed.when(record_step_dispatch, step_was(65, refused()))
        .then(dispatched(65, refused()))
        .leaving(life=Triggered(2, BY_FAILURE, ended=True))
    )
    assert (
        delivered.past[-1:]
        == take_receipt(state_after(*PLACES["fired"]), hear(61, DELIVERED, FIRST)).events
    )
    assert (
        failed.past[-1:]
        == take_receipt(state_after(*PLACES["fired"]), hear(61, FAILED, FIRST)).events
    )


def test_a_real_outcome_after_a_recovery_is_recorded() -> None:
    """A rejection that was under way triggers the next step after all (D-11)."""
    recovered = given(*PLACES["fired"], dispatched(90, interrupted()))

    (
        recovered.when(record_step_dispatch, step_was(91, refused())).then(
            dispatched(91, refused()), triggered(91, BY_REJECTION, step=2)
        )
    )
    (
        recovered.when(record_step_dispatch, step_was(91, took()))
        .then(dispatched(91))
        .leaving(life=Waiting(2, second(91 + WAIT)))
    )


@pytest.mark.parametrize("past", everywhere_but("fired"))
def test_an_outcome_is_recorded_once_and_for_a_fired_step_alone(past: tuple[Event, ...]) -> None:
    """A known outcome is final, and no step has one before it is fired."""
    for step in (0, 1, 2, 3):
        given(*past).when(record_step_dispatch, step_was(99, took(), step)).nothing()


def test_an_older_steps_outcome_leaves_a_newer_wait_alone() -> None:
    """The first step's late outcome does not change the second step's wait."""
    past = (*PLACES["fired"], triggered(61, BY_FAILURE, step=2), fired(62, step=2))

    (
        given(*past)
        .when(record_step_dispatch, step_was(65, took()))
        .then(dispatched(65))
        .leaving(life=Fired(), undispatched=2)
    )
