"""
Conditions: rules that span streams, as values.

A decision states them; the event store checks them inside the transaction that writes the events,
so none is ever decided on a copy (design section 3).
"""

from __future__ import annotations

from datetime import datetime

from attrs import field

from .rate_limit import Rate
from .value import value


@value
class WithinRate:
    """
    One more use of `subject` at `at` stays within `rate`; the use is counted when it does.

    The window slides: at most `rate.count` uses in any `rate.window` (C-16). With `counted` false
    it is only looked at. `rule` is what a refusal names; it decides nothing.
    """

    subject: str = field(repr=False)
    rate: Rate
    at: datetime
    counted: bool = True
    rule: str = field(default="", eq=False)


@value
class WithinTotal:
    """
    `amount` more of `subject` leave its total at `most` or below; it is added when they do.

    An amount of None is the bytes that the append's events take in the store; a negative one gives
    back; None for `most` counts alone. The total begins anew with a later `period`. An append has one
    of a subject. `rule` names the limit for whoever is refused.
    """

    subject: str
    amount: int | None
    most: int | None
    period: int = 0
    rule: str = ""


@value
class SoleHolder:
    """
    Nobody but `holder` and those in `retiring` holds `subject`; afterwards `holder` alone does.

    With nobody to retire, this is a unique name.
    """

    subject: str = field(repr=False)
    holder: str
    retiring: frozenset[str] = frozenset()


@value
class Hold:
    """`holder` joins those who hold `subject`; always true."""

    subject: str = field(repr=False)
    holder: str


@value
class Release:
    """`holder` no longer holds `subject`; always true."""

    subject: str = field(repr=False)
    holder: str


@value
class Unchanged:
    """The stream is still at `version`: what was read of it is still so."""

    stream: str
    version: int


Condition = WithinRate | WithinTotal | SoleHolder | Hold | Release | Unchanged
