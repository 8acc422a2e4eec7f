"""Call a run off whose next step may have been sent in a history that is lost (D-64)."""

import pytest

from tests.domain.fallback_run.story import PLACES, everywhere_but, second
from tests.specs import given, state_after
from watchword.domain.event import Event
from watchword.domain.fallback_run import (
    CallOff,
    FallbackRejected,
    Rejected,
    StepStatus,
    call_off,
)

CALL_OFF = CallOff(at=second(90), error_code="store_restored")
BEFORE_THE_FIRST = ("waiting", "triggered by deadline", "triggered by failure", "ended")
BEFORE_THE_SECOND = ("fired", "waiting again", "triggered again")


@pytest.mark.parametrize(
    ("place", "step"),
    [*((place, 1) for place in BEFORE_THE_FIRST), *((place, 2) for place in BEFORE_THE_SECOND)],
)
def test_the_next_step_is_not_sent(place: str, step: int) -> None:
    """A run that waits for anything is over, and its step says why."""
    past = PLACES[place]
    called_off = FallbackRejected(at=second(90), step=step, error_code="store_restored")
    (
        given(*past)
        .when(call_off, CALL_OFF)
        .then(called_off)
        .on_condition()
        .leaving(life=Rejected(step), over=True)
    )
    steps = state_after(*past, called_off).steps

    assert (StepStatus.REJECTED, "store_restored") == (
        steps[step - 1].status,
        steps[step - 1].error_code,
    )
    assert not any(each.status is StepStatus.ARMED for each in steps)


@pytest.mark.parametrize("past", everywhere_but(*BEFORE_THE_FIRST, *BEFORE_THE_SECOND))
def test_a_run_that_is_over_stays_as_it_is(past: tuple[Event, ...]) -> None:
    """It has no step to send."""
    given(*past).when(call_off, CALL_OFF).nothing()
