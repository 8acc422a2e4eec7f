"""Requests of an account in any second (C-94)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.fakes.clocks import StillClock
from watchword.application.accounts.admitting import Admitting
from watchword.domain.accounts.account import Account
from watchword.domain.accounts.account_limits import AccountLimits
from watchword.domain.errors import RateLimitedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


def limited_to(requests_per_second: int | None) -> Account:
    """Return an account with a limit, or with none."""
    limits = AccountLimits(requests_per_second=requests_per_second)
    return Account(name="Tea house", created_at=NOON, limits=limits)


TWO = limited_to(2)


def admitted(admitting: Admitting, account: Account = TWO, account_id: str = "acc_tea") -> bool:
    """Return whether one more request is let in."""
    try:
        admitting.admit(account_id, account)
    except RateLimitedError:
        return False
    return True


def test_as_many_requests_as_the_limit_in_any_second() -> None:
    """The window slides, and refused requests do not count; each account has its own."""
    clock = StillClock()
    admitting = Admitting(clock)
    told = []
    for seconds in (0, 0.5, 0.4, 0.1, 0.3, 0.2, 0.5):
        clock.move_real(seconds)
        told.append(admitted(admitting))

    assert [True, True, False, True, False, True, True] == told
    assert admitted(admitting, account_id="acc_coffee")


def test_a_refusal_names_the_limit() -> None:
    """It asks to try again in a second, which is when the window is over."""
    admitting = Admitting(StillClock())
    while admitted(admitting):
        pass
    with pytest.raises(RateLimitedError) as refusal:
        admitting.admit("acc_tea", TWO)

    assert {"retryAfterSeconds": 1, "rule": "requests_per_second"} == refusal.value.details


def test_a_limit_that_is_changed_holds_at_once() -> None:
    """A lower limit counts the requests before the change."""
    admitting = Admitting(StillClock())
    assert admitted(admitting)
    assert admitted(admitting)

    assert not admitted(admitting, limited_to(1))
    assert admitted(admitting, limited_to(3))
    assert admitted(admitting, limited_to(None))


@pytest.mark.parametrize("back", [-3600, 3600])
def test_a_clock_that_was_set_keeps_nobody_out(back: float) -> None:
    """A clock that is set back or forward refuses no request."""
    clock = StillClock()
    admitting = Admitting(clock)
    assert admitted(admitting)
    assert admitted(admitting)
    clock.move_real(back)

    assert admitted(admitting)
