"""Give up on a step that cannot be sent: SPEC section 7, C-21, C-51."""

import pytest

from tests.domain.fallback_run.story import PLACES, everywhere_but, give_up, rejected
from tests.specs import given, state_after
from watchword.domain.event import Event
from watchword.domain.fallback_run import Rejected, RunStatus, StepStatus, reject_step

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
    """What was fired before stands beside it."""
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
