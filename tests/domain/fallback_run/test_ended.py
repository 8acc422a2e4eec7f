"""Hear how the silent attempt was ended: C-20, C-50."""

import pytest

from tests.domain.fallback_run.story import (
    ARRIVED,
    BY_DEADLINE,
    NOT_REVOKED,
    PLACES,
    REVOKED,
    end_was,
    everywhere_but,
    revoked,
    stood_down,
    triggered,
)
from tests.specs import given
from watchword.domain.event import Event
from watchword.domain.fallback_run import RevokeOutcome, RunStatus, Triggered, ended


@pytest.mark.parametrize("outcome", [REVOKED, NOT_REVOKED])
def test_an_ended_attempt_makes_way_for_the_step(outcome: RevokeOutcome) -> None:
    """No answer within the provider time-out counts as not revoked, and the step is sent (C-20)."""
    (
        given(*PLACES["triggered by deadline"])
        .when(ended, end_was(61, outcome))
        .then(revoked(61, outcome))
        .on_condition()
        .leaving(life=Triggered(1, BY_DEADLINE, ended=True))
    )


def test_a_revoke_that_finds_it_delivered_stands_the_run_down() -> None:
    """The revoke reports the delivery (C-20)."""
    (
        given(*PLACES["triggered by deadline"])
        .when(ended, end_was(61, ARRIVED))
        .then(revoked(61, ARRIVED), stood_down(61))
        .leaving(status=RunStatus.STOOD_DOWN, over=True)
    )


def test_a_silent_step_is_ended_like_the_primary() -> None:
    """The second step's way is the first one's; a delivery ends the run as fired."""
    silent = given(*PLACES["waiting again"], triggered(121, step=2))

    silent.when(ended, end_was(122, REVOKED, step=2)).then(revoked(122, REVOKED, step=2))
    (
        silent.when(ended, end_was(122, ARRIVED, step=2))
        .then(revoked(122, ARRIVED, step=2), stood_down(122, step=2))
        .leaving(status=RunStatus.FIRED)
    )
    silent.when(ended, end_was(122, REVOKED, step=1)).nothing()


@pytest.mark.parametrize("outcome", RevokeOutcome)
@pytest.mark.parametrize("past", everywhere_but("triggered by deadline"))
def test_an_answer_that_comes_late_or_twice_decides_nothing(
    past: tuple[Event, ...], outcome: RevokeOutcome
) -> None:
    """Nothing waits for it any more."""
    for step in (1, 2):
        given(*past).when(ended, end_was(99, outcome, step)).nothing()
