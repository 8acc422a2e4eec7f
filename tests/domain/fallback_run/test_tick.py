"""Look at the clock: C-20, C-50."""

import pytest

from tests.domain.fallback_run.story import (
    BY_DEADLINE,
    PLACES,
    WAIT,
    everywhere_but,
    look_at_clock,
    triggered,
)
from tests.specs import given
from watchword.domain.event import Event
from watchword.domain.fallback_run import RunStatus, Triggered, tick


def test_silence_fires_at_the_deadline() -> None:
    """The step's turn has come; the silent primary is ended first."""
    (
        given(*PLACES["waiting"])
        .when(tick, look_at_clock(WAIT))
        .then(triggered(WAIT))
        .on_condition()
        .leaving(life=Triggered(1, BY_DEADLINE, ended=False), status=RunStatus.ARMED)
    )


@pytest.mark.parametrize("early", [0, WAIT - 0.001, -3600])
def test_nothing_happens_before_the_deadline(early: float) -> None:
    """An early tick, or a clock that steps back, triggers nothing."""
    given(*PLACES["waiting"]).when(tick, look_at_clock(early)).nothing()


def test_the_second_step_waits_its_own_full_waittime() -> None:
    """It counts from when the first step's dispatch was recorded (C-50)."""
    given(*PLACES["waiting again"]).when(tick, look_at_clock(61 + WAIT - 0.001)).nothing()
    (
        given(*PLACES["waiting again"])
        .when(tick, look_at_clock(61 + WAIT))
        .then(triggered(61 + WAIT, step=2))
        .leaving(life=Triggered(2, BY_DEADLINE, ended=False), status=RunStatus.FIRED)
    )


@pytest.mark.parametrize("past", everywhere_but("waiting", "waiting again"))
def test_a_repeated_tick_has_nothing_to_do(past: tuple[Event, ...]) -> None:
    """The race is decided once, on any number of nodes."""
    given(*past).when(tick, look_at_clock(10**6)).nothing()
