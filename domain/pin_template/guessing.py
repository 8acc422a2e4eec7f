"""What a template's limits allow a person who guesses codes, in plain words (D-147)."""

from __future__ import annotations

from datetime import timedelta
from math import ceil, expm1, log1p

from attrs import frozen

from ..errors import camel
from ..rate_limit import Rate
from ..sms.length import Encoding
from .policy import PinPolicy

# Above these odds a template is accepted with a warning: 1 in 1,000 for a code, 1 in 100 for a day.
ODDS_OF_A_CODE = 1 / 1_000
ODDS_OF_A_DAY = 1 / 100
LONGEST_LIFE = timedelta(days=1)
_DAY = timedelta(days=1)


@frozen
class Finding:
    """
    What the author of an accepted template should know about the field on a path.

    One about an SMS also has its alphabet and the number of its segments (C-87).
    """

    field: str
    message: str
    encoding: Encoding | None = None
    segments: int | None = None


def guessing(policy: PinPolicy) -> tuple[Finding, ...]:
    """Return a warning for each limit that allows guessing, with its odds."""
    there_are = len(policy.pin_type.alphabet) ** policy.pin_length
    guesses = _guesses(policy)
    odds = min(1.0, guesses / there_are)
    codes = _codes_a_day(policy)
    a_day = -expm1(codes * log1p(-odds)) if odds < 1 else 1.0
    guessing = f"{_counted(guesses, 'guess', 'guesses')} at one of {there_are:,} codes"
    found = []
    if odds > ODDS_OF_A_CODE:
        found.append(
            _finding(
                "pin_attempts",
                f"An attacker who has {guessing} hits it with a probability of {_percent(odds)},"
                f" and of {_percent(a_day)} within a day in which one destination gets"
                f" {_counted(codes, 'code', 'codes')}. Allow fewer {camel('pin_attempts')}, or"
                f" give codes a greater {camel('pin_length')}.",
            )
        )
    elif a_day > ODDS_OF_A_DAY:
        found.append(
            _finding(
                "send_pin_per_phone_number_limit",
                f"One destination may get {_counted(codes, 'code', 'codes')} a day, each with {guessing}:"
                f" an attacker hits one of them with a probability of {_percent(a_day)} a day."
                " Allow fewer sends.",
            )
        )
    if policy.pin_time_to_live.span > LONGEST_LIFE:
        found.append(
            _finding(
                "pin_time_to_live",
                f"A code that lives {policy.pin_time_to_live}, longer than a day, can be found and"
                f" typed by somebody else all that time, or guessed: {guessing} hit with a probability of"
                f" {_percent(odds)}. Codes usually live for minutes.",
            )
        )
    return tuple(found)


def _guesses(policy: PinPolicy) -> int:
    """Return how many guesses one code allows in its lifetime: `pinAttempts`, and the one that blocks."""
    in_time = _within(policy.verify_pin_limit, policy.pin_time_to_live.span)
    return min(policy.pin_attempts + 1, in_time)


def _codes_a_day(policy: PinPolicy) -> int:
    limits = (policy.send_pin_per_phone_number_limit, policy.send_pin_per_template_limit)
    return min(_within(limit, _DAY) for limit in limits)


def _within(rate: Rate, span: timedelta) -> int:
    """Return how many uses a rate allows in a span that begins with an empty window."""
    return rate.count * max(1, ceil(span / rate.window))


def _finding(field: str, message: str) -> Finding:
    return Finding(camel(field), message)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _percent(odds: float) -> str:
    """Return odds as a percentage with two digits, never rounded to 0 % or 100 %."""
    percent = odds * 100
    if percent >= 99.5:
        return "more than 99 %"
    return f"{percent:.2g} %" if percent >= 0.0001 else "less than 0.0001 %"
