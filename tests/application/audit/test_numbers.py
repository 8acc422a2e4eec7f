"""The numbers in events are compared with the HMACs in the store (C-73, C-91)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import EVENTS
from watchword.application.audit.numbers import numbers_in
from watchword.domain import guard
from watchword.domain.event import ERASED, MASK, Event
from watchword.domain.guard import SendsFlagged, SendsRefused, SubjectReleased
from watchword.domain.legacy.chat_rating import ChatRated
from watchword.domain.shared_content import ContentSubmitted
from watchword.domain.short_link import ShortLinkCreated

# The text and the links of a message name its recipient, whose number the message's own event says.
PARTS = (ContentSubmitted, ShortLinkCreated)
# The guard shows a person masked, as it is listed, and a test destination's own event says its number.
MASKED = (SendsFlagged, SendsRefused, SubjectReleased, guard.TestDestinationNoted)
NAMING = [
    each
    for each in EVENTS
    if each not in (*PARTS, *MASKED) and "person_id" in (field.name for field in attrs.fields(each))
]


def rated(phone: str) -> ChatRated:
    """Return an event about a number."""
    return ChatRated(
        at=datetime(2031, 5, 4, tzinfo=UTC),
        account_id="acc_1",
        person_id="per_1",
        chat_id="tea",
        phone=phone,
        rating="5",
    )


def test_all_spellings_of_a_number_are_one() -> None:
    """The HMAC is that of the canonical form (C-28)."""
    assert [("per_1", "919812345610")] == [*numbers_in(rated("+91 98123-45610"))]


@pytest.mark.parametrize("hidden", [ERASED, MASK])
def test_a_number_that_nobody_reads_is_left_out(hidden: str) -> None:
    """After an erasure, and without the code key."""
    assert [] == [*numbers_in(rated(hidden))]


@pytest.mark.parametrize("kind", NAMING, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(max_examples=20)
def test_every_event_that_names_a_person_says_the_number(
    kind: type[Event], data: st.DataObject
) -> None:
    """Of the event's own person, or of the people of its steps."""
    event: Any = data.draw(EVENTS[kind])
    whose = [each.person_id for each in getattr(event, "steps", (event,))]

    assert whose == [person_id for person_id, _ in numbers_in(event)]
