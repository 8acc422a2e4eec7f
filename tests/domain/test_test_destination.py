"""Test destinations: until when, and what a later call changes (C-79, C-103)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from tests.specs import given
from watchword.domain import test_destination as tests
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
SET = tests.TestDestinationSet(
    at=NOON,
    account_id="acc_tea",
    person_id="per_anna",
    destination="+447700900000",
    until=NOON + timedelta(days=30),
)
REMOVED = tests.TestDestinationRemoved(at=NOON + timedelta(days=2))
COMMAND = tests.SetTestDestination(
    at=NOON,
    account_id="acc_tea",
    person_id="per_anna",
    destination="+447700900000",
    until=NOON + timedelta(days=30),
)


def test_a_destination_is_set_until_a_time() -> None:
    """The state has the end of the event."""
    (event,) = tests.put(COMMAND).events

    assert SET == event
    assert SET.until == tests.begin(SET).until


@pytest.mark.parametrize("ahead", [timedelta(0), timedelta(days=-1)])
def test_the_past_is_refused(ahead: timedelta) -> None:
    """A destination whose time is over is an ordinary one."""
    with pytest.raises(ValidationFailedError) as refused:
        tests.put(evolve(COMMAND, until=NOON + ahead))

    assert [("until", "must be in the future")] == [
        (each.field, each.message) for each in refused.value.problems
    ]


def test_ninety_days_are_the_most() -> None:
    """A microsecond more is refused."""
    assert tests.put(evolve(COMMAND, until=NOON + timedelta(days=90))).events
    with pytest.raises(ValidationFailedError) as refused:
        tests.put(evolve(COMMAND, until=NOON + timedelta(days=90, microseconds=1)))

    assert ["must be at most 90 days ahead"] == [each.message for each in refused.value.problems]


def test_a_revision_keeps_the_time_of_the_first() -> None:
    """Spelling and end are those of the newest."""
    later = evolve(
        SET, at=NOON + timedelta(days=1), destination="0044 7700 900000", until=REMOVED.at
    )

    given(SET, later).when(tests.remove, REMOVED.at).then(REMOVED).leaving(
        destination="0044 7700 900000",
        until=REMOVED.at,
        created_at=NOON,
        updated_at=REMOVED.at,
        removed_at=REMOVED.at,
    )


def test_a_removed_one_may_be_set_again() -> None:
    """It is then as old as the newest setting."""
    again = evolve(SET, at=NOON + timedelta(days=3))

    given(SET, REMOVED, again).when(tests.remove, REMOVED.at).leaving(created_at=again.at)


def test_a_removed_one_stays_removed() -> None:
    """A second removal is no event."""
    given(SET, REMOVED).when(tests.remove, NOON).nothing()


def test_a_stream_is_of_one_person() -> None:
    """An event of another person's destination is one that no command makes."""
    foreign = evolve(SET, person_id="per_other", at=NOON + timedelta(days=1))

    assert () == tests.redecide(tests.begin(SET), foreign).events
    assert () == tests.redecide(None, REMOVED).events
