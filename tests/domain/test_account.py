"""An account, which everything else belongs to (C-7, C-35)."""

from datetime import UTC, datetime

import pytest

from tests.specs import given
from watchword.domain.account import AccountCreated, create
from watchword.domain.conditions import SoleHolder
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


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
