"""How an aggregate begins with the facts of its first event, and takes on those of later ones."""

from __future__ import annotations

from datetime import UTC, datetime

import attrs
import pytest

from watchword.domain.account import Account, AccountCreated
from watchword.domain.decider import begun, changed
from watchword.domain.media import MediaStored
from watchword.domain.pin import Pin

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


def test_a_state_begins_with_the_facts_of_its_first_event() -> None:
    """Each fact is kept under its own name, and the time as that of the creation."""
    created = AccountCreated(at=NOON, name="Tea house")

    assert Account(name="Tea house", created_at=NOON) == begun(Account(), created)


def test_no_fact_is_lost_on_the_way() -> None:
    """An event with a fact that the state has no field for is refused, not cut short."""
    stored = MediaStored(
        at=NOON, account_id="orchid", name="tea.png", content_type="image/png", size=1, sha256="0"
    )

    with pytest.raises(TypeError):
        begun(Account(), stored)


def test_a_changed_state_keeps_what_did_not_change() -> None:
    """It is what `attrs.evolve` gives, and the state that it was made of stays as it was."""
    state = Pin(issue=1, account_id="orchid", attempts_remaining=5)

    later = changed(changed(state, attempts_remaining=4), updated_at=NOON)

    assert attrs.evolve(state, attempts_remaining=4, updated_at=NOON) == later
    assert Pin(issue=1, account_id="orchid", attempts_remaining=5) == state


def test_a_change_of_what_no_state_has_is_refused() -> None:
    """A misspelt name raises an error, and is not stored beside the others."""
    with pytest.raises(TypeError, match="attempts_left"):
        changed(Pin(), attempts_left=4)
