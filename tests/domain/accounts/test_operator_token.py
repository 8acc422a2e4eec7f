"""An operator's token: its role, its account, its expiry (C-84)."""

from datetime import UTC, datetime, timedelta

import attrs
import pytest

from tests.specs import given, state_after
from watchword.domain.accounts.operator_token import (
    OperatorTokenCreated,
    OperatorTokenRevoked,
    OperatorTokenUsed,
    create,
    redecide,
    revoke,
    use,
)
from watchword.domain.accounts.token_role import TokenRole
from watchword.domain.conditions import Release, SoleHolder
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
CREATED = OperatorTokenCreated(
    at=NOON,
    name="night shift",
    role=TokenRole.AUDITOR,
    account_id="account-orchid",
    prefix="wwt_oolong",
    token_hash="hash-of-oolong",
    expires_at=NOON + HOUR,
)
FOREVER = attrs.evolve(CREATED, expires_at=None)
REVOKED = OperatorTokenRevoked(at=NOON + HOUR)


def test_a_token_is_found_by_its_hash() -> None:
    """A create records role and account, on condition that no other token has this hash."""
    (
        given()
        .when(create, CREATED, "tok-1")
        .then(CREATED)
        .on_condition(SoleHolder("operator-token:hash-of-oolong", "tok-1"))
        .leaving(
            name="night shift",
            role=TokenRole.AUDITOR,
            account_id="account-orchid",
            clear=False,
            created_at=NOON,
            last_used_at=None,
            revoked_at=None,
        )
    )


def test_every_wrong_field_is_named_at_once() -> None:
    """A token needs a name, and time to be used in."""
    wrong = attrs.evolve(CREATED, name=" ", expires_at=NOON)
    refusal = given().when(create, wrong, "tok-1").refuses(ValidationFailedError)

    assert ["name", "expires_at"] == [problem.field for problem in refusal.problems]


def test_a_token_is_valid_until_it_expires() -> None:
    """At its expiry a token opens nothing any more; without one it stays valid."""
    token, forever = state_after(CREATED), state_after(FOREVER)

    assert token.valid_at(NOON + HOUR - timedelta(microseconds=1))
    assert not token.valid_at(NOON + HOUR)
    assert forever.valid_at(NOON + 100_000 * HOUR)


def test_a_revoked_token_is_valid_no_more() -> None:
    """Revoking records it and releases the hash, and holds when the clock steps back."""
    (
        given(FOREVER)
        .when(revoke, "tok-1", NOON + HOUR)
        .then(REVOKED)
        .on_condition(Release("operator-token:hash-of-oolong", "tok-1"))
        .leaving(revoked_at=NOON + HOUR)
    )
    assert not state_after(FOREVER, REVOKED).valid_at(NOON)
    given(FOREVER, REVOKED).when(revoke, "tok-1", NOON + 2 * HOUR).nothing()


def test_a_use_is_recorded_at_most_once_in_ten_minutes() -> None:
    """The first use is, and none of an expired or revoked token."""
    given(CREATED).when(use, NOON).then(OperatorTokenUsed(at=NOON))
    used = OperatorTokenUsed(at=NOON)
    given(CREATED, used).when(use, NOON + 9 * MINUTE).nothing()
    given(CREATED, used).when(use, NOON + 10 * MINUTE).leaving(last_used_at=NOON + 10 * MINUTE)
    given(CREATED).when(use, NOON + HOUR).nothing()
    given(FOREVER, REVOKED).when(use, NOON + HOUR).nothing()


@pytest.mark.parametrize(
    ("role", "clear", "masks"),
    [
        (TokenRole.AUDITOR, False, True),
        (TokenRole.AUDITOR, True, False),
        (TokenRole.OPERATOR, False, False),
        (TokenRole.ADMIN, False, False),
    ],
)
def test_an_auditor_sees_numbers_masked_by_default(
    role: TokenRole, clear: bool, masks: bool
) -> None:
    """A token that was made with `clear` sees them, and so does whoever acts."""
    assert masks is state_after(attrs.evolve(CREATED, role=role, clear=clear)).masks


@pytest.mark.parametrize(
    ("past", "event", "repeats"),
    [
        ((), CREATED, True),
        ((CREATED,), CREATED, False),
        ((CREATED,), OperatorTokenUsed(at=NOON), True),
        ((FOREVER, REVOKED), OperatorTokenUsed(at=NOON + HOUR), False),
        ((FOREVER,), REVOKED, True),
        ((FOREVER, REVOKED), REVOKED, False),
    ],
)
def test_an_audit_decides_each_event_again(
    past: tuple[OperatorTokenCreated | OperatorTokenRevoked, ...],
    event: OperatorTokenCreated | OperatorTokenUsed | OperatorTokenRevoked,
    repeats: bool,
) -> None:
    """An event that no decision makes after this past is not repeated (D-157)."""
    state = state_after(*past) if past else None

    assert ((event,) if repeats else ()) == redecide(state, event).events
