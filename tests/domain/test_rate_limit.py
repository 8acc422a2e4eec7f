"""Durations and rates as templates write them (C-16)."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import durations, rates
from watchword.domain.pin_template.pin_type import PinType
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Duration, Rate


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("250ms", timedelta(milliseconds=250)),
        ("30s", timedelta(seconds=30)),
        ("10m", timedelta(minutes=10)),
        ("36h", timedelta(hours=36)),
        ("1d", timedelta(days=1)),
        ("0s", timedelta()),
        ("007s", timedelta(seconds=7)),
        ("3660d", timedelta(days=3660)),
    ],
)
def test_a_duration_is_a_number_and_a_unit(text: str, span: timedelta) -> None:
    """`<n><unit>` with the units ms, s, m, h, d; the spelling is kept."""
    duration = Duration(text)

    assert span == duration.span
    assert text == str(duration)


@pytest.mark.parametrize(
    "text",
    ["", "10", "m", "10 m", "10M", "10min", "-1s", "+1s", "1.5h", "1s\n", " 1s", "1m30s", "٣s"],
)
def test_anything_else_is_no_duration(text: str) -> None:
    """A wrong duration is refused with an example of a right one."""
    with pytest.raises(ValueError, match="such as 30s, 10m or 1d"):
        Duration(text)


@pytest.mark.parametrize("text", ["3661d", "999999999d", "87841h"])
def test_ten_years_are_enough(text: str) -> None:
    """A duration beyond ten years is refused before any date arithmetic can overflow."""
    with pytest.raises(ValueError, match="at most 3660d"):
        Duration(text)


@pytest.mark.parametrize(
    ("text", "count", "window"),
    [
        ("1/3s", 1, timedelta(seconds=3)),
        ("5/1d", 5, timedelta(days=1)),
        ("10000/1d", 10_000, timedelta(days=1)),
        ("1/s", 1, timedelta(seconds=1)),
        ("2/500ms", 2, timedelta(milliseconds=500)),
    ],
)
def test_a_rate_is_a_count_over_a_window(text: str, count: int, window: timedelta) -> None:
    """`<count>/<n><unit>`, with an optional n; the spelling is kept."""
    rate = Rate(text)

    assert (count, window) == (rate.count, rate.window)
    assert text == str(rate)


@pytest.mark.parametrize("text", ["", "5", "5/", "/1d", "5/1", "5/1D", "5 / 1d", "5/-1d", "5/1d\n"])
def test_anything_else_is_no_rate(text: str) -> None:
    """A wrong rate is refused with an example of a right one."""
    with pytest.raises(ValueError, match="such as 1/3s, 5/1d or 1/s"):
        Rate(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [("0/1s", "at least 1"), ("5/0s", "window above zero"), ("1/3661d", "at most 3660d")],
)
def test_a_rate_that_means_nothing_is_refused(text: str, why: str) -> None:
    """A rate lets at least one through, in a window above zero and up to ten years."""
    with pytest.raises(ValueError, match=why):
        Rate(text)


@given(durations, rates)
def test_spellings_are_kept(duration: Duration, rate: Rate) -> None:
    """A rate is shown as it was written, and parses to the same value."""
    assert duration == Duration(str(duration))
    assert rate == Rate(str(rate))


@given(st.text(max_size=12))
def test_no_text_does_worse_than_a_value_error(text: str) -> None:
    """Any text is a duration or a `ValueError`, a rate or a `ValueError`."""
    for kind in Duration, Rate:
        try:
            value = kind(text)
        except ValueError:
            continue

        assert text == str(value)


def test_a_template_has_limits_of_its_own_without_saying_any() -> None:
    """The defaults of C-16."""
    policy = PinPolicy()

    assert (6, PinType.NUMERIC, 5) == (policy.pin_length, policy.pin_type, policy.pin_attempts)
    assert Duration("10m") == policy.pin_time_to_live
    assert Rate("1/3s") == policy.verify_pin_limit
    assert Rate("10000/1d") == policy.send_pin_per_template_limit
    assert Rate("5/1d") == policy.send_pin_per_phone_number_limit
    assert Duration("30s") == policy.resend_cooldown


@pytest.mark.parametrize(
    "limits",
    [
        {"pin_length": 4, "pin_attempts": 1},
        {"pin_length": 10, "pin_attempts": 100},
        {"resend_cooldown": Duration("0s")},
        {"pin_time_to_live": Duration("1ms")},
    ],
)
def test_limits_reach_to_their_ends(limits: dict) -> None:
    """PinLength 4 to 10, pinAttempts 1 to 100; resendCooldown may be 0s."""
    policy = PinPolicy(**limits)

    assert limits == {name: getattr(policy, name) for name in limits}


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"pin_length": 3}, "from 4 to 10"),
        ({"pin_length": 11}, "from 4 to 10"),
        ({"pin_attempts": 0}, "from 1 to 100"),
        ({"pin_attempts": 101}, "from 1 to 100"),
        ({"pin_time_to_live": Duration("0m")}, "above zero"),
    ],
)
def test_limits_beyond_their_ends_are_refused(limits: dict, said: str) -> None:
    """PinLength and pinAttempts have two ends; a pinTimeToLive is above zero."""
    with pytest.raises(ValueError, match=said):
        PinPolicy(**limits)
