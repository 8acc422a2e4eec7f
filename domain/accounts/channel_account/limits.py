"""The limits and prices of a channel account, which operators set beside its config (C-66)."""

from __future__ import annotations

import re
from typing import Any

from attrs import field, frozen

from ...limits import FromTo
from ...price import CURRENCY, Price

MOST_PER_SECOND = 10_000
# A longer time could not pass: the time-out of all attempts together is at most this (C-40).
MOST_SECONDS = 20
PREFIX = re.compile(r"(\+?[0-9]{1,15})?")
_PLUS = re.compile(r"\A\+(?=[0-9])")
AMOUNT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


def _as_float(value: Any) -> Any:
    # A log has one form for a number, whether a caller wrote `5` or `5.0`.
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _canonical_prefix(value: Any) -> Any:
    # Callers may write a plus, as numbers have; the log has the digits alone (C-103).
    return _PLUS.sub("", value, count=1) if isinstance(value, str) else value


def sends_per_second(_instance: object, _attribute: object, value: float | None) -> None:
    """Check that a limit is a rate above zero; NaN is none. None passes."""
    if value is not None and not 0 < value <= MOST_PER_SECOND:
        raise ValueError(f"must be above 0, and at most {MOST_PER_SECOND}")


def a_number_prefix(_instance: object, _attribute: object, value: str) -> None:
    """Check that a text can begin numbers."""
    if PREFIX.fullmatch(value) is None:
        raise ValueError("must be the first 1 to 15 digits of numbers, or empty for all others")


def a_decimal_amount(_instance: object, _attribute: object, value: str) -> None:
    """Check that a text is a decimal number."""
    if AMOUNT.fullmatch(value) is None:
        raise ValueError('must be a decimal number as a text, such as "0.0075"')


def a_currency(_instance: object, _attribute: object, value: str) -> None:
    """Check that a text can be the code of a currency."""
    if CURRENCY.fullmatch(value) is None:
        raise ValueError("must be the three capital letters of a currency (ISO 4217)")


@frozen(kw_only=True)
class ChannelLimits:
    """
    The limits of the sends through a channel account; None means the service's own.

    `concurrency` is the number of sends at once, and `timeout_seconds` the time for one of them.
    """

    concurrency: int | None = field(default=None, validator=FromTo(1, 512))
    rate_per_second: float | None = field(
        default=None, converter=_as_float, validator=sends_per_second
    )
    timeout_seconds: float | None = field(
        default=None, converter=_as_float, validator=FromTo(1, MOST_SECONDS)
    )


@frozen(kw_only=True)
class PrefixPrice:
    """The price of one SMS to the numbers that begin with these digits; the longest prefix counts."""

    prefix: str = field(converter=_canonical_prefix, validator=a_number_prefix)
    amount: str = field(validator=a_decimal_amount)
    currency: str = field(validator=a_currency)

    @property
    def price(self) -> Price:
        """The price alone."""
        return Price(self.amount, self.currency)
