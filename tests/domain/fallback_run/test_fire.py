"""Fire a step: C-20."""

import pytest

from tests.domain.fallback_run.story import (
    FIRST,
    PLACES,
    SECOND,
    everywhere_but,
    fired,
    send,
)
from tests.specs import given
from watchword.domain.event import Event
from watchword.domain.fallback_run import Fired, RunStatus, Waiting, fire

IN_TURN = ("triggered by failure", "ended")


@pytest.mark.parametrize("place", IN_TURN)
def test_a_step_whose_turn_it_is_is_fired(place: str) -> None:
    """The event names the message that is sent; another step's wait begins with its outcome."""
    (
        given(*PLACES[place])
        .when(fire, send(62))
        .then(fired(62))
        .on_condition()
        .leaving(
            life=Waiting(2, None),
            status=RunStatus.FIRED,
            live_message_id=FIRST,
            undispatched=1,
            over=False,
        )
    )


def test_after_the_last_step_the_run_decides_nothing_more() -> None:
    """It is over, but its seal stays until the outcome is recorded: the send may be repeated."""
    (
        given(*PLACES["triggered again"])
        .when(fire, send(62, step=2))
        .then(fired(62, step=2))
        .leaving(life=Fired(), live_message_id=SECOND, undispatched=2, over=True, needs_seal=True)
    )


@pytest.mark.parametrize("past", everywhere_but(*IN_TURN))
def test_no_step_is_fired_out_of_turn_or_twice(past: tuple[Event, ...]) -> None:
    """Before a trigger, while the attempt before may be ended, and a second time."""
    given(*past).when(fire, send(62)).nothing()


@pytest.mark.parametrize("past", everywhere_but("triggered again"))
def test_the_second_step_waits_for_its_own_turn(past: tuple[Event, ...]) -> None:
    """No trigger of the first lets the second go."""
    given(*past).when(fire, send(62, step=2)).nothing()
