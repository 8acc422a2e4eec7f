"""The limits of a channel account, and its prices by prefix (C-66)."""

from typing import Any

import pytest

from watchword.domain.accounts.channel_account import ChannelLimits, PrefixPrice
from watchword.domain.price import Price


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("concurrency", 0),
        ("concurrency", 513),
        ("rate_per_second", 0),
        ("rate_per_second", -1),
        ("rate_per_second", 10_000.5),
        ("rate_per_second", float("nan")),
        ("timeout_seconds", 0.9),
        ("timeout_seconds", 20.1),
        ("timeout_seconds", float("nan")),
    ],
)
def test_limits_have_bounds(name: str, value: Any) -> None:
    """A limit outside its bounds is refused; NaN is within none."""
    with pytest.raises(ValueError, match="must be"):
        ChannelLimits(**{name: value})


def test_a_number_has_one_form() -> None:
    """`5` and `5.0` are one limit, so that the log has one form for both."""
    limits = ChannelLimits(concurrency=512, rate_per_second=10_000, timeout_seconds=20)

    assert ["10000.0", "20.0"] == [repr(limits.rate_per_second), repr(limits.timeout_seconds)]
    assert limits == ChannelLimits(concurrency=512, rate_per_second=1e4, timeout_seconds=20.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("prefix", "+"),
        ("prefix", "++44"),
        ("prefix", "4+4"),
        ("prefix", "4" * 16),
        ("prefix", "٤"),
        ("amount", "1,5"),
        ("amount", "-1"),
        ("amount", "1e3"),
        ("amount", ".5"),
        ("amount", ""),
        ("currency", "eur"),
        ("currency", "EURO"),
        ("currency", "€"),
    ],
)
def test_a_price_is_digits_and_a_currency(name: str, value: str) -> None:
    """Prefixes are digits, amounts decimal numbers as texts, currencies three capital letters."""
    facts: dict[str, Any] = {"prefix": "44", "amount": "0.04", "currency": "GBP", name: value}

    with pytest.raises(ValueError, match="must be"):
        PrefixPrice(**facts)


def test_a_prefix_may_have_a_plus() -> None:
    """Callers write prefixes as they write numbers; the record has the digits alone (C-103)."""
    written = PrefixPrice(prefix="+44", amount="0.04", currency="GBP")

    assert "44" == written.prefix
    assert PrefixPrice(prefix="44", amount="0.04", currency="GBP") == written


def test_an_empty_prefix_is_for_all_others() -> None:
    """One price for all numbers needs no list of them."""
    flat = PrefixPrice(prefix="", amount="12", currency="INR")

    assert Price("12", "INR") == flat.price
