"""The members of messages, runs, opt lists and ratings that are about a person (C-73, C-100)."""

from __future__ import annotations

import pytest

from watchword.domain.consent import RecipientOptedIn, RecipientOptedOut
from watchword.domain.event import personal_fields
from watchword.domain.fallback_run import FallbackArmed, FallbackStep
from watchword.domain.legacy.chat_rating import ChatRated
from watchword.domain.message import MessageReceived, MessageSubmitted


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        (
            MessageSubmitted,
            {"recipient", "cust_refs", "tags", "callback_url", "link_codes"},
        ),
        (MessageReceived, {"sender", "text", "provider_message_id"}),
        (FallbackStep, {"recipient", "link_codes", "cust_refs"}),
        (FallbackArmed, set()),
        (RecipientOptedIn, {"recipient"}),
        (RecipientOptedOut, {"recipient"}),
        (ChatRated, {"chat_id", "phone", "rating"}),
    ],
)
def test_these_members_of_messages_are_personal(kind: type, members: set[str]) -> None:
    """A campaign, a sender and an account's own number are not (D-335)."""
    assert members == set(personal_fields(kind))


@pytest.mark.parametrize(
    "kind",
    [
        MessageSubmitted,
        MessageReceived,
        FallbackStep,
        FallbackArmed,
        RecipientOptedIn,
        RecipientOptedOut,
        ChatRated,
    ],
)
def test_whoever_they_are_about_is_named(kind: type) -> None:
    """Openly: the person's id is random, and finds nobody."""
    assert "person_id" in kind.__annotations__
