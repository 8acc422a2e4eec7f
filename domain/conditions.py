"""
Conditions: rules that span streams, as values.

A decision states its conditions. The event store checks them inside the transaction that writes the
events, so that no condition is checked against outdated data (design section 3).
"""

from __future__ import annotations

from datetime import datetime, timedelta

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


@value
class WithinBudget:
    """
    One more send of the budget `subject` at `at` stays within `rate`; the append then counts it.

    What was verified does not count, unless the rule counts all sends, which nothing gives back. With
    `counted` false, the send is checked but not counted. With `over` true the opposite must hold: the
    budget is reached, so that the send is only on the record, and is not counted (D-380). `rule` is the
    name under which the store's refusal tells of the budget.
    """

    subject: str
    rate: Rate
    at: datetime
    rule: str
    counted: bool = True
    over: bool = False


@value
class GiveBack:
    """
    A send of `subject` that was counted at `sent_at` was verified; the condition is always met.

    `window` is that of the rate under which it was counted. A bucket never counts more verified sends
    than sends, so a count that began anew stays right.
    """

    subject: str
    window: timedelta
    sent_at: datetime


@value
class StartAnew:
    """The budget `subject` counts from zero after the append; the condition is always met."""

    subject: str


@value
class VerifiedAfter:
    """The person last verified a code after `after`, or, with `holds` false, did not (guard's pass)."""

    person_id: str
    after: datetime
    holds: bool = True


# The store keeps the time of a verification that is so much later than the one that it has (D-383).
PASS_STEP = timedelta(days=1)


@value
class Verifies:
    """
    The person verified a code at `at`; the condition is always met.

    The store keeps the time if it is `PASS_STEP` or more after the one that it has.
    """

    person_id: str
    at: datetime


Condition = (
    WithinRate
    | WithinTotal
    | SoleHolder
    | Hold
    | Release
    | Unchanged
    | PersonLives
    | WithinBudget
    | GiveBack
    | StartAnew
    | VerifiedAfter
    | Verifies
)
