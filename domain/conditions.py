"""
Conditions: rules that span streams, as values.

A decision states its conditions. The event store checks them inside the transaction that writes the
events, so that no condition is checked against outdated data (design section 3).
"""

from __future__ import annotations

from datetime import datetime

from attrs import field

from .rate_limit import Rate
from .value import value


@value
class WithinRate:
    """
    One more use of `subject` at `at` stays within `rate`; the append then counts the use.

    The window slides: at most `rate.count` uses in any `rate.window` (C-16). With `counted` false, the
    use is checked but not counted. `rule` is only the name that a refusal shows.
    """

    subject: str = field(repr=False)
    rate: Rate
    at: datetime
    counted: bool = True
    rule: str = field(default="", eq=False)


@value
class WithinTotal:
    """
    `amount` more keep the total of `subject` at `most` or below; the append then adds them.

    An `amount` of None stands for the bytes of the append's events; a negative one reduces the total.
    With `most` None the amount is counted without a limit. The total starts at zero in a later
    `period`. An append has at most one such condition for a subject. `rule` is the name that a
    refusal shows.
    """

    subject: str
    amount: int | None
    most: int | None
    period: int = 0
    rule: str = ""


@value
class SoleHolder:
    """
    Only `holder` and those in `retiring` hold `subject`; after the append, `holder` alone holds it.

    With an empty `retiring`, the subject is a unique name.
    """

    subject: str = field(repr=False)
    holder: str
    retiring: frozenset[str] = frozenset()


@value
class Hold:
    """`holder` also holds `subject` after the append; the condition is always met."""

    subject: str = field(repr=False)
    holder: str


@value
class Release:
    """`holder` no longer holds `subject` after the append; the condition is always met."""

    subject: str = field(repr=False)
    holder: str


@value
class Unchanged:
    """The stream is still at `version`, so what the decision read of it is still true."""

    stream: str
    version: int


@value
class PersonLives:
    """The person has not been erased, so what is sealed for the person can still be opened (C-74)."""

    person_id: str


Condition = WithinRate | WithinTotal | SoleHolder | Hold | Release | Unchanged | PersonLives
