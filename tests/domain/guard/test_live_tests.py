"""The guard knows the live test destinations of its account, a bounded number of them (D-402)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.specs import state_after
from watchword.domain import guard as guards
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


def noted(
    person_id: str, until: datetime | None, at: datetime = NOON
) -> guards.TestDestinationNoted:
    """Note a test destination of a person, or its end."""
    return guards.TestDestinationNoted(
        at=at, account_id="acc_tea", person_id=person_id, test_id=f"tst_{person_id}", until=until
    )


def test_creates_find_test_destinations_until_their_end() -> None:
    """They leave the guard with the next event about one (D-402)."""
    guard = state_after(noted("per_anna", NOON + timedelta(days=1)))
    later = NOON + timedelta(days=1)

    assert "tst_per_anna" == guard.test_of("per_anna", NOON)
    assert None is guard.test_of("per_anna", later)
    assert None is guard.test_of("per_bert", NOON)
    assert {"per_bert"} == state_after(
        noted("per_anna", later), noted("per_bert", later + timedelta(days=1), at=later)
    ).tests.keys()
    assert {} == state_after(noted("per_anna", later), noted("per_anna", None)).tests


def test_the_end_of_none_is_no_event() -> None:
    """A guard without events, or without the person, has nothing to take out."""
    assert () == guards.note_test(None, noted("per_anna", None)).events
    guard = state_after(noted("per_anna", NOON + timedelta(days=1)))
    assert () == guards.note_test(guard, noted("per_bert", None)).events


def test_an_account_has_so_many_and_no_more() -> None:
    """Every node has them in memory; one that is there can be revised, and one that is over makes room."""
    until = NOON + timedelta(days=1)
    full = state_after(*(noted(f"per_{each}", until) for each in range(guards.MOST_TESTS)))

    with pytest.raises(ValidationFailedError) as refused:
        guards.note_test(full, noted("per_more", until))
    assert ["destination"] == [each.path for each in refused.value.problems]
    assert guards.note_test(full, noted("per_7", until)).events
    assert guards.note_test(full, noted("per_more", until + timedelta(days=1), at=until)).events
