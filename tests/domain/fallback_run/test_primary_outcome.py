"""Hear how the primary's dispatch went: C-20, C-68."""

import pytest

from tests.domain.fallback_run.story import (
    BY_REJECTION,
    RCS,
    SMS,
    armed,
    everywhere_but,
    interrupted,
    primary_was,
    refused,
    stayed_silent,
    took,
    triggered,
)
from tests.specs import given
from watchword.domain.channel import ChannelOutcome
from watchword.domain.event import Event
from watchword.domain.fallback_run import Triggered, primary_outcome


def test_a_rejected_primary_fires_at_once() -> None:
    """There is nothing to end: the first step may be sent right away (C-20, C-48)."""
    (
        given(armed(SMS, RCS))
        .when(primary_outcome, primary_was(1, refused()))
        .then(triggered(1, BY_REJECTION))
        .on_condition()
        .leaving(life=Triggered(1, BY_REJECTION, ended=True))
    )


@pytest.mark.parametrize(
    "outcome",
    [took(), stayed_silent(), interrupted()],
    ids=["accepted", "timed out", "interrupted"],
)
def test_a_primary_that_may_arrive_waits(outcome: ChannelOutcome) -> None:
    """If the outcome is unknown, the deadline decides (C-68, D-35)."""
    given(armed(SMS)).when(primary_outcome, primary_was(1, outcome)).nothing()


@pytest.mark.parametrize("past", everywhere_but("waiting"))
def test_an_outcome_that_comes_late_decides_nothing(past: tuple[Event, ...]) -> None:
    """The loser of the race has nothing to do."""
    given(*past).when(primary_outcome, primary_was(99, refused())).nothing()
