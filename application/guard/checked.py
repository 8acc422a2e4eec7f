"""What the guard says of one send or one guess, and how its decisions are counted and told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ...domain.channel import ChannelName
from ...domain.conditions import Condition
from ...domain.guard import (
    UNGUARDED,
    Budget,
    Guard,
    Guarded,
    GuessesLimit,
    Rule,
    Subject,
    account_subject,
    channel_subject,
    country_subject,
    ip_subject,
    key_in,
    person_subject,
    prefix_subject,
)
from ..ports.event_store import Loaded
from ..ports.redacted import Redacted


class Target(Redacted, frozen=True, kw_only=True):
    """
    What a send or a guess is about.

    `prefix` and `ip` are HMACs; None for a destination that is no number, and for a call without an IP.
    """

    account_id: str
    destination: str
    country: str | None = None
    prefix: str | None = None
    ip: str | None = None

    def subject(self, rule: Rule, person_id: str | None, channel: ChannelName = "") -> Subject:
        """Return the subject under which a decision of a rule is counted and shown."""
        match rule:
            case Rule.COUNTRIES | Rule.COUNTRY:
                return country_subject(self.country)
            case Rule.PREFIX if self.prefix is not None:
                return prefix_subject(self.destination, self.prefix, self.country)
            case Rule.IP if self.ip is not None:
                return ip_subject(self.ip)
            case Rule.ACCOUNT:
                return account_subject(self.account_id)
            case Rule.CHANNELS:
                return channel_subject(channel)
            case _:
                return person_subject(self.destination, person_id, self.country)


class LookedAt(Redacted, frozen=True, kw_only=True):
    """
    A send before its budgets are checked: what the rules about the destination itself say.

    `refused` is the rule that refuses it, and `flags` are those that are on the record alone.
    `test_id` names the test destination that it is, if it is one.
    """

    guard: Loaded[Guard]
    target: Target
    person_id: str
    channels: Sequence[ChannelName]
    refused: Rule | None = None
    flags: tuple[Rule, ...] = ()
    test_id: str | None = None


class Checked(Redacted, frozen=True, kw_only=True):
    """
    A send or a guess that is about to be appended.

    `required` are the conditions of all that was found: the guard's version, and that nobody verified a
    code at a test destination. `budgets` are all that it is checked against, in the order of the checks,
    and `flagged` those of them that are expected to be reached, on the record. `outright` are flags of
    rules without a budget. A person who is not `known` becomes so by the append.
    """

    at: datetime
    target: Target
    required: tuple[Condition, ...]
    person_id: str
    known: bool = True
    budgets: tuple[Budget, ...] = ()
    flagged: tuple[Budget, ...] = ()
    outright: tuple[Rule, ...] = ()
    guarded: Guarded = UNGUARDED

    def subject(self, rule: Rule, budget: Budget | None, *, refused: bool) -> Subject:
        """Return the subject of a rule that refused this, or that only flagged it."""
        channel = "" if budget is None else key_in(budget.name)
        # The person of a refused create was never stored.
        person_id = self.person_id if self.known or not refused else None
        return self.target.subject(rule, person_id, channel)


class CheckedGuess(Checked, frozen=True, kw_only=True):
    """
    A guess that is about to be judged; see `VerifyPin` for `limit` and `prefix`.

    Several people may know the code of a test destination. So no guess at it `may_match` once the
    destination is an ordinary one, or somebody verified a code that was sent there (D-404).
    """

    may_match: bool = True
    limit: GuessesLimit | None = None
    prefix: str | None = None


def label(budget: Budget) -> str:
    """
    Return the name under which a refused append tells of a budget: its rule, or itself.

    A send has one budget of each rule, but of `sends.channels` one for each channel.
    """
    return budget.name if budget.rule is Rule.CHANNELS else budget.rule
