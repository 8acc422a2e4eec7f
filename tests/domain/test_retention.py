"""The retention of an account: what may be set, and what an audit decides again (C-75, C-101)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.specs import given
from watchword.domain.decider import Decision
from watchword.domain.errors import ValidationFailedError
from watchword.domain.rate_limit import Duration
from watchword.domain.retention import (
    AccountRetention,
    Retention,
    RetentionSet,
    redecide,
    retention_decider,
    set_retention,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
MONTH, YEAR = Duration("30d"), Duration("365d")
SET = RetentionSet(at=NOON, account_id="acc_tea", pins=MONTH, messages=YEAR, events=YEAR)
WANTED = Retention(pins=MONTH, messages=YEAR, events=YEAR)


def fields_of(wanted: Retention, window: timedelta = timedelta(days=1)) -> list[str]:
    """Return the fields that are refused."""
    with pytest.raises(ValidationFailedError) as refused:
        set_retention(None, NOON, "acc_tea", wanted, window)
    return [each.field for each in refused.value.problems]


def state() -> AccountRetention:
    """Return the state after a retention was set."""
    return retention_decider.fold([SET])


def test_it_is_set_whole() -> None:
    """An event has all three; what is left out is kept for ever."""
    assert Decision((SET,)) == set_retention(None, NOON, "acc_tea", WANTED)
    after = set_retention(state(), NOON, "acc_tea", Retention(pins=YEAR)).events

    assert Retention(pins=YEAR) == retention_decider.fold(after, state()).kept


def test_what_holds_already_is_no_event() -> None:
    """Setting the same again changes nothing; for ever is what an account begins with."""
    assert Decision() == set_retention(state(), NOON, "acc_tea", WANTED)
    assert Decision() == set_retention(None, NOON, "acc_tea", Retention())


@pytest.mark.parametrize("text", ["0s", "10m", "23h", "86399s"])
def test_nothing_is_kept_for_less_than_a_day(text: str) -> None:
    """An Idempotency-Key promises its answer for 24 h."""
    short = Duration(text)

    assert ["pins"] == fields_of(Retention(pins=short))
    assert ["pins", "messages", "events"] == fields_of(
        Retention(pins=short, messages=short, events=short)
    )


def test_nothing_is_kept_for_less_than_the_longest_window() -> None:
    """A rate or a guard rule that counts for a week needs the sends of a week."""
    week = timedelta(days=7)

    assert ["pins"] == fields_of(Retention(pins=Duration("6d"), messages=Duration("7d")), week)
    set_retention(None, NOON, "acc_tea", Retention(pins=Duration("168h")), week)


@pytest.mark.parametrize(
    "wanted",
    [
        Retention(pins=MONTH, messages=YEAR, events=MONTH),
        Retention(pins=YEAR, messages=MONTH, events=MONTH),
        Retention(pins=MONTH, events=YEAR),
        Retention(events=YEAR),
    ],
)
def test_events_are_kept_as_long_as_what_they_are_about(wanted: Retention) -> None:
    """For ever is longer than anything."""
    assert ["events"] == fields_of(wanted)


def test_events_may_outlive_what_they_are_about() -> None:
    """A PIN's row goes after a month, its events after a year, or never."""
    for events in (MONTH, YEAR, None):
        set_retention(None, NOON, "acc_tea", Retention(pins=MONTH, messages=MONTH, events=events))


def test_an_audit_decides_it_again() -> None:
    """The event follows from the state before it; the windows of that time are not known (D-157)."""
    assert Decision((SET,)) == redecide(None, SET)
    given(SET).when(redecide, SET).then()
