"""A counted decision: how often a rule refused or flagged sends of one subject in a minute (C-78, C-102)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import field, frozen

from ..decider import Decider, Decision
from ..event import Event, personal
from ..rate_limit import Rate
from .rules import Rule


class Verdict(StrEnum):
    """A decision of the guard that is counted."""

    REFUSED = "refused"
    FLAGGED = "flagged"


@frozen(kw_only=True)
class SendsCounted(Event):
    """
    Decisions of one rule about one subject, counted by one process in one minute.

    `subject` is a country, a prefix, a masked destination, the HMAC of an IP, a channel, or the account.
    `person_id` is set if it is a person, and `country` if all its numbers are of one. `limit` is the one
    that was reached, if the rule has one. `since` and `until` are the times of the first and the last
    decision. A crash may lose a minute, so `count` is a lower bound (D-395).
    """

    account_id: str
    person_id: str | None = None
    rule: Rule
    subject: str = personal()
    country: str | None = None
    limit: Rate | None = None
    since: datetime
    until: datetime
    count: int


@frozen(kw_only=True)
class SendsRefused(SendsCounted):
    """A rule refused sends of a subject, or guesses at it, `count` times in a minute at least."""


@frozen(kw_only=True)
class SendsFlagged(SendsCounted):
    """A rule would have refused sends of a subject, or guesses at it, `count` times in a minute at least."""


@frozen(kw_only=True)
class CountedDecision:
    """What was counted; it never changes."""

    verdict: Verdict
    account_id: str
    person_id: str | None
    rule: Rule
    subject: str = field(repr=False)
    limit: Rate | None
    since: datetime
    until: datetime
    count: int
    created_at: datetime


def count_decisions(counted: SendsRefused | SendsFlagged) -> Decision:
    """Put a count on the log."""
    return Decision((counted,))


def begin(event: SendsRefused | SendsFlagged) -> CountedDecision:
    """Return the state after the only event."""
    return CountedDecision(
        verdict=Verdict.REFUSED if isinstance(event, SendsRefused) else Verdict.FLAGGED,
        account_id=event.account_id,
        person_id=event.person_id,
        rule=event.rule,
        subject=event.subject,
        limit=event.limit,
        since=event.since,
        until=event.until,
        count=event.count,
        created_at=event.at,
    )


counted_decision_decider: Decider[CountedDecision] = Decider(
    "counted_decision", begin, (SendsRefused, SendsFlagged)
)
