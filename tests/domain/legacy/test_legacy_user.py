"""Users of the legacy platform, and ratings of end users (C-35, C-42, C-43, D-100)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from tests.specs import given
from watchword.domain.conditions import Release, SoleHolder
from watchword.domain.errors import ValidationFailedError
from watchword.domain.legacy.chat_rating import ChatRated, rate
from watchword.domain.legacy.legacy_user import (
    LegacyTokensRevoked,
    LegacyUserCreated,
    LegacyUserRemoved,
    create,
    legacy_email,
    remove,
    revoke_tokens,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
CREATED = LegacyUserCreated(
    at=NOON, account_id="account-orchid", email="asha@tea.example", password_hash="hash of tea"
)
NAME = legacy_email("asha@tea.example")


@pytest.mark.parametrize("spelled", ["asha@tea.example", " Asha@Tea.Example\n"])
def test_an_email_is_one_users_however_it_is_spelled(spelled: str) -> None:
    """The condition is that no user of any account has it."""
    (
        given()
        .when(create, evolve(CREATED, email=spelled), "lgu-asha")
        .then(CREATED)
        .on_condition(SoleHolder(NAME, "lgu-asha"))
        .leaving(account_id="account-orchid", generation=0, removed_at=None)
    )


@pytest.mark.parametrize(
    "wrong", ["", "asha", "asha@", "@tea", "a@b@c", "a b@tea", "a\x07@tea", f"{'x' * 247}@tea.org"]
)
def test_what_is_no_email_is_refused(wrong: str) -> None:
    """Users type it at every login."""
    given().when(create, evolve(CREATED, email=wrong), "lgu-asha").refuses(ValidationFailedError)


def test_a_revocation_begins_a_new_generation() -> None:
    """Tokens of the one before are void; the password stays good."""
    revoked = LegacyTokensRevoked(at=LATER)
    (
        given(CREATED)
        .when(revoke_tokens, LATER)
        .then(revoked)
        .leaving(generation=1, password_hash="hash of tea")
    )


def test_a_removed_user_frees_the_email_and_forgets_the_password() -> None:
    """The user's tokens belong to an older generation."""
    (
        given(CREATED)
        .when(remove, "lgu-asha", LATER)
        .then(LegacyUserRemoved(at=LATER))
        .on_condition(Release(NAME, "lgu-asha"))
        .leaving(generation=1, password_hash=None, removed_at=LATER)
    )


def test_a_removed_user_stays_removed() -> None:
    """A second removal, and a revocation, add nothing."""
    removed = given(CREATED, LegacyUserRemoved(at=LATER))
    removed.when(remove, "lgu-asha", LATER).nothing()
    removed.when(revoke_tokens, LATER).nothing()


def test_a_chat_is_rated() -> None:
    """The client's word is recorded unchanged."""
    rated = ChatRated(
        at=NOON,
        account_id="account-orchid",
        person_id="per_guest",
        chat_id="chat-7",
        phone="+919812345610",
        rating="5",
    )
    given().when(rate, rated).then(rated).leaving(chat_id="chat-7", rating="5", created_at=NOON)
