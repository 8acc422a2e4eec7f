"""How an aggregate begins with the facts of its first event."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from watchword.domain.account import Account, AccountCreated
from watchword.domain.decider import begun
from watchword.domain.media import MediaStored

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
