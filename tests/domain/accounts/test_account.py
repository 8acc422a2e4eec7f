"""An account, which everything else belongs to (C-7, C-35)."""

from datetime import UTC, datetime

import pytest

from tests.specs import given
from watchword.domain.accounts.account import (
    AccountCreated,
    AccountLimitsSet,
    AccountResumed,
    AccountSuspended,
    create,
    resume,
    set_limits,
    suspend,
)
from watchword.domain.accounts.account_limits import AccountLimits
from watchword.domain.conditions import SoleHolder
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
CREATED = AccountCreated(at=NOON, name="Orchid")
SUSPENDED, RESUMED = AccountSuspended(at=NOON), AccountResumed(at=NOON)


def test_an_account_has_a_name_of_its_own() -> None:
    """A create records the name, on condition that no other account holds it."""
    (
        given()
        .when(create, NOON, "account-orchid", "Orchid & Sons")
        .then(AccountCreated(at=NOON, name="Orchid & Sons"))
        .on_condition(SoleHolder("account-name:Orchid & Sons", "account-orchid"))
        .leaving(name="Orchid & Sons", created_at=NOON)
    )


@pytest.mark.parametrize("name", ["o", "o" * 200])
def test_names_reach_to_their_ends(name: str) -> None:
    """A name has 1 to 200 characters."""
    given().when(create, NOON, "account-orchid", name).then(AccountCreated(at=NOON, name=name))


@pytest.mark.parametrize("name", ["", " \t", "o" * 201])
def test_names_beyond_their_ends_are_refused(name: str) -> None:
    """Blanks alone are no name."""
    refusal = given().when(create, NOON, "account-orchid", name).refuses(ValidationFailedError)

    assert ["name"] == [problem.field for problem in refusal.problems]


def test_an_account_is_suspended_and_resumed() -> None:
    """The state says since when it is suspended (C-95)."""
    given(CREATED).when(suspend, NOON).then(SUSPENDED).leaving(
        name="Orchid", created_at=NOON, suspended_at=NOON
    )
    given(CREATED, SUSPENDED).when(resume, NOON).then(RESUMED).leaving(
        name="Orchid", created_at=NOON, suspended_at=None
    )


def test_a_lever_that_is_pulled_twice_moves_nothing() -> None:
    """Suspending a suspended account, and resuming an active one, record nothing."""
    given(CREATED, SUSPENDED).when(suspend, NOON).then()
    given(CREATED).when(resume, NOON).then()
    given(CREATED, SUSPENDED, RESUMED).when(resume, NOON).then()


def test_limits_are_set_as_a_whole() -> None:
    """Each limit is in the event; setting the present limits is no event (C-94)."""
    limits = AccountLimits(requests_per_second=50, media_bytes=0)
    limited = AccountLimitsSet(
        at=NOON, requests_per_second=50, stored_bytes_per_day=None, media_bytes=0
    )

    given(CREATED).when(set_limits, NOON, limits).then(limited).leaving(
        name="Orchid", created_at=NOON, limits=limits
    )
    given(CREATED, limited).when(set_limits, NOON, limits).then()
    given(CREATED).when(set_limits, NOON, AccountLimits()).then()
