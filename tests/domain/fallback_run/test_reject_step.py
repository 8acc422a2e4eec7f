"""Rejecting a step that cannot be sent, or may not: SPEC section 7, C-21, C-48, C-51."""

import pytest
from attrs import evolve

from tests.domain.fallback_run.story import (
    DELIVERED,
    PLACES,
    everywhere_but,
    give_up,
    hear,
    rejected,
    second,
    stood_down,
    unwanted,
)
from tests.specs import given, state_after
from watchword.domain.event import Event
from watchword.domain.fallback_run import (
    FallbackRejected,
    Rejected,
    RunStatus,
    StepPassedOver,
    StepStatus,
    reject_step,
    take_receipt,
)

IN_TURN = ("triggered by deadline", "triggered by failure", "ended")


@pytest.mark.parametrize("place", IN_TURN)
def test_a_late_invalid_type_ends_the_run_as_rejected(place: str) -> None:
    """Visible in the status, with its error; no later step is tried (C-21)."""
    past = PLACES[place]
    (
        given(*past)
        .when(reject_step, give_up(61))
        .then(rejected(61))
        .on_condition()
        .leaving(life=Rejected(1), status=RunStatus.REJECTED, over=True, needs_seal=False)
    )
    first, then = state_after(*past, rejected(61)).steps

    assert (StepStatus.REJECTED, "invalid_type", None) == (
        first.status,
        first.error_code,
        first.message_id,
    )
    assert StepStatus.STOOD_DOWN == then.status


def test_a_rejected_second_step_is_the_last_word_on_the_run() -> None:
    """The status also shows the step that was fired before."""
    (
        given(*PLACES["triggered again"])
        .when(reject_step, give_up(62, step=2))
        .then(rejected(62, step=2))
        .leaving(status=RunStatus.REJECTED)
    )
    first, then = state_after(*PLACES["triggered again"], rejected(62, step=2)).steps

    assert (StepStatus.REJECTED, "no_such_table") == (first.status, first.error_code)
    assert (StepStatus.REJECTED, "invalid_type") == (then.status, then.error_code)


@pytest.mark.parametrize("past", everywhere_but(*IN_TURN))
def test_only_a_step_whose_turn_it_is_can_be_rejected(past: tuple[Event, ...]) -> None:
    """The check belongs to the fallback stage, and is made once."""
    given(*past).when(reject_step, give_up(61)).nothing()


@pytest.mark.parametrize("place", IN_TURN)
def test_a_step_that_its_recipient_does_not_want_is_passed_over(place: str) -> None:
    """It is the next one's turn at once, for the same reason and with the same attempt before it."""
    past = PLACES[place]
    life = state_after(*past).life
    passed = StepPassedOver(at=second(61), step=1, error_code="recipient_opted_out")
    (
        given(*past)
        .when(reject_step, unwanted(61))
        .then(passed)
        .on_condition()
        .leaving(life=evolve(life, step=2), status=RunStatus.ARMED, over=False, needs_seal=True)
    )
    first, then = state_after(*past, passed).steps

    assert (StepStatus.REJECTED, "recipient_opted_out") == (first.status, first.error_code)
    assert StepStatus.ARMED == then.status


def test_a_last_step_that_its_recipient_does_not_want_ends_the_run() -> None:
    """There is nothing to pass on to."""
    past = PLACES["triggered again"]
    ending = FallbackRejected(at=second(62), step=2, error_code="recipient_opted_out")

    given(*past).when(reject_step, unwanted(62, step=2)).then(ending).leaving(life=Rejected(2))


def test_a_delivery_stands_down_what_was_passed_on() -> None:
    """A delivery counts while the attempt before has not been ended (D-36)."""
    passed = StepPassedOver(at=second(61), step=1, error_code="recipient_opted_out")
    past = (*PLACES["triggered by deadline"], passed)

    given(*past).when(take_receipt, hear(62, DELIVERED)).then(stood_down(62, step=2))


@pytest.mark.parametrize("past", everywhere_but(*IN_TURN))
def test_only_a_step_whose_turn_it_is_can_be_passed_over(past: tuple[Event, ...]) -> None:
    """It can be passed over once."""
    given(*past).when(reject_step, unwanted(61)).nothing()
