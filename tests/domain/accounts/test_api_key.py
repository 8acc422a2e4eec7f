"""An API key: its account, its scopes, its expiry (C-6, C-8)."""

from datetime import UTC, datetime, timedelta

import attrs

from tests.specs import given, state_after
from watchword.domain.accounts.api_key import (
    ApiKeyCreated,
    ApiKeyRevoked,
    ApiKeyUsed,
    Scope,
    create,
    revoke,
)
from watchword.domain.conditions import Release, SoleHolder
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
CREATED = ApiKeyCreated(
    at=NOON,
    account_id="account-orchid",
    name="web shop",
    prefix="ww_tea",
    key_hash="hash-of-oolong",
    scopes=(Scope.PINS,),
    template_auto_match=True,
    expires_at=NOON + HOUR,
)
FOREVER = attrs.evolve(CREATED, expires_at=None)
REVOKED = ApiKeyRevoked(at=NOON)


def test_a_key_is_found_by_its_hash() -> None:
    """A create records the scopes, on condition that no other key has this hash."""
    (
        given()
        .when(create, CREATED, "key-1")
        .then(CREATED)
        .on_condition(SoleHolder("api-key:hash-of-oolong", "key-1"))
        .leaving(
            account_id="account-orchid",
            name="web shop",
            prefix="ww_tea",
            key_hash="hash-of-oolong",
            scopes=(Scope.PINS,),
            template_auto_match=True,
            expires_at=NOON + HOUR,
            created_at=NOON,
            last_used_at=None,
            revoked_at=None,
        )
    )


def test_every_wrong_field_is_named_at_once() -> None:
    """A key needs a name, something to be used for, and time to be used in."""
    wrong = attrs.evolve(CREATED, name=" ", scopes=(), expires_at=NOON)
    refusal = given().when(create, wrong, "key-1").refuses(ValidationFailedError)

    assert ["name", "scopes", "expires_at"] == [problem.field for problem in refusal.problems]


def test_a_long_name_is_refused() -> None:
    """A name has at most 200 characters."""
    longest = attrs.evolve(CREATED, name="k" * 200)
    given().when(create, longest, "key-1").then(longest)
    refusal = given().when(create, attrs.evolve(CREATED, name="k" * 201), "key-1")

    assert ["name"] == [each.field for each in refusal.refuses(ValidationFailedError).problems]


def test_a_key_is_valid_until_it_expires() -> None:
    """At its expiry a key opens nothing any more; without one it stays valid."""
    key, forever = state_after(CREATED), state_after(FOREVER)

    assert key.valid_at(NOON)
    assert key.valid_at(NOON + HOUR - timedelta(microseconds=1))
    assert not key.valid_at(NOON + HOUR)
    assert forever.valid_at(NOON + 100_000 * HOUR)


def test_a_revoked_key_is_valid_no_more() -> None:
    """Revoking records it and releases the hash; the key opens nothing from then on."""
    (
        given(FOREVER)
        .when(revoke, "key-1", NOON + HOUR)
        .then(ApiKeyRevoked(at=NOON + HOUR))
        .on_condition(Release("api-key:hash-of-oolong", "key-1"))
        .leaving(revoked_at=NOON + HOUR)
    )
    assert not state_after(FOREVER, REVOKED).valid_at(NOON + HOUR)


def test_a_revocation_holds_when_the_clock_steps_back() -> None:
    """A clock that says it is before the revocation opens nothing either."""
    assert not state_after(FOREVER, REVOKED).valid_at(NOON - HOUR)


def test_revoking_twice_is_no_event() -> None:
    """A key that is revoked stays revoked since the first time."""
    given(FOREVER, REVOKED).when(revoke, "key-1", NOON + HOUR).nothing()


def test_the_last_use_is_known() -> None:
    """A use moves nothing but the time of the last use."""
    key = state_after(CREATED)

    assert attrs.evolve(key, last_used_at=NOON + HOUR) == state_after(
        CREATED, ApiKeyUsed(at=NOON), ApiKeyUsed(at=NOON + HOUR)
    )
