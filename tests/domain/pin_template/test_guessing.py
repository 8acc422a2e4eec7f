"""The odds of guessing under given limits: the findings of a template (D-147)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.domain.pin_template.guessing import guessing
from watchword.domain.pin_template.pin_type import PinType
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Duration, Rate


def found(**limits: Any) -> list[str]:
    """Name the members that findings are about."""
    return [each.field for each in guessing(PinPolicy(**limits))]


@pytest.mark.parametrize(
    ("limits", "fields"),
    [
        ({}, []),
        ({"pin_length": 4}, []),
        ({"pin_length": 4, "pin_attempts": 9}, []),
        ({"pin_length": 4, "pin_attempts": 10}, ["pinAttempts"]),
        ({"pin_length": 4, "pin_attempts": 100}, ["pinAttempts"]),
        ({"pin_length": 4, "pin_attempts": 100, "pin_type": PinType.ALPHANUMERIC}, []),
        ({"pin_attempts": 100}, []),
        ({"pin_time_to_live": Duration("1d")}, []),
        ({"pin_time_to_live": Duration("25h")}, ["pinTimeToLive"]),
        ({"send_pin_per_phone_number_limit": Rate("1000/1h")}, ["sendPinPerPhoneNumberLimit"]),
        (
            {"pin_length": 4, "pin_attempts": 100, "pin_time_to_live": Duration("2d")},
            ["pinAttempts", "pinTimeToLive"],
        ),
    ],
)
def test_limits_that_allow_guessing_are_found(limits: dict[str, Any], fields: list[str]) -> None:
    """Above 1 in 1,000 a code, 1 in 100 a day for a destination, and a day of life."""
    assert fields == found(**limits)


def test_a_finding_says_the_odds_in_plain_words() -> None:
    """It has the number of guesses and codes, and the probability per code and per day."""
    (finding,) = guessing(PinPolicy(pin_length=4, pin_attempts=100))

    assert (
        "An attacker who has 101 guesses at one of 10,000 codes hits it with a probability of 1 %,"
        " and of 4.9 % within a day in which one destination gets 5 codes. Allow fewer pinAttempts,"
        " or give codes a greater pinLength."
    ) == finding.message


def test_a_code_that_lives_long_says_the_odds_too() -> None:
    """The finding is about its life, and counts the guesses of its whole life."""
    (finding,) = guessing(PinPolicy(pin_time_to_live=Duration("2d")))

    assert "A code that lives 2d, longer than a day" in finding.message
    assert "6 guesses at one of 1,000,000 codes" in finding.message
    assert "0.0006 %" in finding.message


def test_who_may_not_guess_in_time_is_no_risk() -> None:
    """Guesses that verifyPinLimit refuses within a code's life do not count."""
    slow = {"pin_length": 4, "pin_attempts": 100, "verify_pin_limit": Rate("1/2m")}

    assert [] == found(**slow)


@given(
    st.integers(4, 10),
    st.integers(1, 100),
    st.sampled_from(PinType),
    st.sampled_from(["1/1d", "5/1d", "999999999/1ms"]),
    st.sampled_from(["1ms", "10m", "3660d"]),
)
def test_every_policy_can_be_judged(
    length: int, attempts: int, kind: PinType, sends: str, lives: str
) -> None:
    """Odds are above 0 % and never certain, for any limits."""
    for each in guessing(
        PinPolicy(
            pin_length=length,
            pin_attempts=attempts,
            pin_type=kind,
            send_pin_per_phone_number_limit=Rate(sends),
            send_pin_per_template_limit=Rate(sends),
            pin_time_to_live=Duration(lives),
        )
    ):
        assert " %" in each.message
        assert " 0 %" not in each.message
        assert "100 %" not in each.message
