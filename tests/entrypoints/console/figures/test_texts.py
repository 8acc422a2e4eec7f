"""Figures are told so that nobody has to work them out."""

from __future__ import annotations

from datetime import timedelta

import pytest

from watchword.application.statistics.views import CostView
from watchword.entrypoints.console.figures.texts import (
    amount_text,
    cost_text,
    distance_text,
    percent,
    seconds_text,
)


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 0, ""),
        (0, 8, "0 %"),
        (8, 8, "100 %"),
        (1, 3, "33.3 %"),
        (99_999, 100_000, "99.9 %"),
        (1, 100_000, "0.1 %"),
    ],
)
def test_a_part_is_all_or_none_only_if_it_is(part: int, whole: int, text: str) -> None:
    """What is nearly all or nearly none keeps a decimal that says so; of nothing there is no part."""
    assert text == percent(part, whole)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, ""),
        (1, "1 s"),
        (90, "90 s"),
        (60, "1 min"),
        (600, "10 min"),
        (3_600, "1 h"),
        (21_600, "6 h"),
        (86_400, "1 d"),
    ],
)
def test_seconds_have_their_greatest_whole_unit(seconds: int | None, text: str) -> None:
    """A bound that is no whole number of a unit stays in the smaller one."""
    assert text == seconds_text(seconds)


def test_an_estimate_says_so() -> None:
    """An amount that a price list says is not taken for one that a provider told."""
    assert "0.50 EUR" == cost_text(CostView("0.5", "EUR", False))
    assert "~0.50 EUR" == cost_text(CostView("0.5", "EUR", True))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (86_400, "1 d ahead"),
        (93_784.2, "1 d 2 h ahead"),
        (-2_409.5, "40 min 10 s behind"),
        (-3_600, "1 h behind"),
        (0.3, "0 s ahead"),
    ],
)
def test_a_distance_between_clocks_has_its_two_greatest_units(seconds: float, text: str) -> None:
    """A clock that is behind is not "-1 day" and the rest of a day ahead."""
    assert text == distance_text(timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        ("0", "0"),
        ("7", "7.00"),
        ("1234567.891", "1,234,567.891"),
        ("0.14849999", "0.1485"),
        ("0.000000000001", "0.0001"),
    ],
)
def test_an_amount_has_at_most_four_decimals(amount: str, text: str) -> None:
    """A page is read by people; an amount that is not zero never looks like zero."""
    assert text == amount_text(amount)
