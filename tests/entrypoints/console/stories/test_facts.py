"""The members of an event as rows: labels in words, times and links recognised, masked on request."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import events
from watchword.domain.channel import Channel
from watchword.domain.event import Event
from watchword.domain.pin import PinIssued
from watchword.domain.rate_limit import Rate
from watchword.entrypoints.console.stories.facts import (
    Fact,
    Kind,
    facts_of,
    facts_of_event,
    words_of,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
ISSUED = PinIssued(
    at=NOON,
    account_id="acc_orchid",
    template_id="tpl_tea",
    person_id="per_asha",
    destination="+919812345610",
    channels=(Channel.SMS, Channel.EMAIL),
    code_hash="CANARY4711X",
    expires_at=NOON,
    attempts=3,
    verify_limit=Rate("10/h"),
)


def rows(facts: tuple[Fact, ...]) -> dict[str, str]:
    """Return facts by their labels."""
    return {each.label: each.text for each in facts}


def test_the_facts_of_an_event() -> None:
    """Members without a value are left out, and a code's hash is never shown."""
    shown = rows(facts_of_event(ISSUED, mask=False))

    assert "+919812345610" == shown["Destination"]
    assert "sms, email" == shown["Channels"]
    assert "***" == shown["Code hash"]
    assert "Reference id" not in shown


def test_a_masked_reader_sees_no_number() -> None:
    """The number is masked as everywhere (C-32)."""
    assert "+9198******10" == rows(facts_of_event(ISSUED, mask=True))["Destination"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("attemptsRemaining", "attempts remaining"),
        ("fallback_id", "fallback id"),
        ("sha256", "sha256"),
        ("expiresAt", "expires at"),
    ],
)
def test_a_name_in_words(name: str, words: str) -> None:
    """Capitals and underscores become blanks."""
    assert words == words_of(name)


def test_times_and_ids_are_recognised() -> None:
    """A time can be shown in the reader's zone, and the id of a PIN or a message leads to its page."""
    at, pin, message, text = facts_of(
        {
            "at": "2031-05-04T12:00:00.000Z",
            "by": "pin_4Fx",
            "holder": "msg_1",
            "name": "msg_1 of tea",
        }
    )

    assert (Kind.TIME, NOON) == (at.kind, at.at)
    assert (Kind.LINK, "/verifications/pin_4Fx") == (pin.kind, pin.path)
    assert (Kind.LINK, "/messages/msg_1") == (message.kind, message.path)
    assert Kind.TEXT is text.kind


def test_members_inside_members() -> None:
    """Their labels say where they stand."""
    outcomes = [{"channel": "sms", "tried": [{"status": "unknown"}]}, {"channel": "email"}]

    assert {
        "Outcomes, 1, channel": "sms",
        "Outcomes, 1, tried, 1": "status: unknown",
        "Outcomes, 2, channel": "email",
    } == rows(facts_of({"outcomes": outcomes}))


def test_very_many_members_end_in_a_remark() -> None:
    """A page has room for so many, and says that there are more."""
    shown = facts_of({f"member{number}": number for number in range(1_000)})

    assert "The rest is left out here. The API shows it." == shown[-1].text
    assert 61 == len(shown)


@given(event=events, mask=st.booleans())
def test_every_event_has_facts(event: Event, mask: bool) -> None:
    """None of them breaks the page, and every row has a label and a text."""
    facts: Any = facts_of_event(event, mask=mask)

    assert all(each.label and isinstance(each.text, str) for each in facts)
