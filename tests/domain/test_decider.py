"""How an aggregate begins with the facts of its first event, and takes on those of later ones."""

from __future__ import annotations

from datetime import UTC, datetime

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.specs import state_after
from tests.strategies import EVENTS
from watchword.application.records import RECORDS, record_of
from watchword.domain.accounts.account import Account, AccountCreated, account_decider
from watchword.domain.decider import begun, changed
from watchword.domain.event import Event
from watchword.domain.legacy.chat_rating import ChatRated, chat_rating_decider
from watchword.domain.media import MediaStored
from watchword.domain.pin import Pin, PinIssued
from watchword.domain.rate_limit import Rate

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
CREATED = AccountCreated(at=NOON, name="Tea house")
ISSUED = PinIssued(
    at=NOON,
    account_id="orchid",
    template_id="tea",
    person_id="per_1",
    destination="+447700900123",
    reference_id=None,
    channels=(),
    code_hash="hash",
    expires_at=NOON,
    attempts=5,
    verify_limit=Rate("1/s"),
)


@pytest.mark.parametrize("first", [kind for each in RECORDS for kind in each.decider.beginnings])
@given(data=st.data())
def test_a_state_has_all_its_facts_from_the_first_event_on(
    first: type[Event], data: st.DataObject
) -> None:
    """Every kind begins with one event, and its state knows since when it is."""
    event = data.draw(EVENTS[first])
    decider = record_of(event).decider

    state = decider.fold([event])

    assert decider.begin(event) == state
    assert event.at in [getattr(state, each.name) for each in attrs.fields(type(state))]


def test_a_stream_without_events_has_no_state() -> None:
    """Asking for its state is an error of the caller."""
    with pytest.raises(ValueError, match="no state"):
        account_decider.fold([])


def test_nothing_follows_an_event_that_says_all() -> None:
    """A kind of one event has no other state than the first."""
    rated = ChatRated(
        at=NOON,
        account_id="orchid",
        person_id="per_guest",
        chat_id="c",
        phone="+447700900123",
        rating="5",
    )

    with pytest.raises(TypeError, match="ChatRated cannot follow"):
        chat_rating_decider.fold([rated, rated])


def test_a_state_begins_with_the_facts_of_its_first_event() -> None:
    """Each fact is kept under its own name, and the time as that of the creation."""
    assert Account(name="Tea house", created_at=NOON) == begun(Account, CREATED)


def test_no_fact_is_lost_on_the_way() -> None:
    """An event with a fact that the state has no field for is refused, not cut short."""
    stored = MediaStored(
        at=NOON, account_id="orchid", name="tea.png", content_type="image/png", size=1, sha256="0"
    )

    with pytest.raises(TypeError):
        begun(Account, stored)


def test_a_changed_state_keeps_what_did_not_change() -> None:
    """The result equals that of `attrs.evolve`, and the old state does not change."""
    state: Pin = state_after(ISSUED)

    later = changed(changed(state, attempts_remaining=4), updated_at=NOON)

    assert attrs.evolve(state, attempts_remaining=4, updated_at=NOON) == later
    assert state_after(ISSUED) == state


def test_a_change_of_what_no_state_has_is_refused() -> None:
    """A misspelt name raises an error, and is not stored beside the others."""
    with pytest.raises(TypeError, match="attempts_left"):
        changed(state_after(ISSUED), attempts_left=4)
