"""The guard policy of an account: a mode for each rule, and its limit (C-76)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from attrs import field, frozen

from ..channel import ChannelName
from ..rate_limit import Duration, Rate
from .rules import Mode

# NIST SP 800-63B allows at most 100 wrong guesses.
MOST_GUESSES = 100
# The least that the adaptive limit of a country allows in a day.
LEAST_OF_COUNTRY = 50


@frozen(kw_only=True)
class Moded:
    """A rule without a limit."""

    mode: Mode = Mode.RECORD


@frozen(kw_only=True)
class Budgeted:
    """A rule with a limit; a limit of None is the adaptive one of a country."""

    mode: Mode
    limit: Rate | None = None


@frozen(kw_only=True)
class Countries:
    """The countries of numbers that an account sends to, or does not; unless off, one list is set."""

    mode: Mode = Mode.OFF
    allow: frozenset[str] | None = None
    refuse: frozenset[str] | None = None

    def allows(self, country: str | None) -> bool:
        """Return whether numbers of a country are sent to; a number without a country is on no list."""
        if self.allow is not None:
            return country in self.allow
        return self.refuse is None or country not in self.refuse


@frozen(kw_only=True)
class Unverified:
    """The limits of codes that nobody has verified yet."""

    country: Budgeted = Budgeted(mode=Mode.RECORD)
    prefix: Budgeted = Budgeted(mode=Mode.RECORD, limit=Rate("20/1h"))
    ip: Budgeted = Budgeted(mode=Mode.RECORD, limit=Rate("10/1h"))


@frozen(kw_only=True)
class Sends:
    """The limits of all sends of codes of an account, and of those on a channel."""

    account: Budgeted | None = None
    channels: Mapping[ChannelName, Budgeted] = field(factory=dict)


@frozen(kw_only=True)
class GuardPolicy:
    """
    What an account counts, and what it refuses; what is left out has its default (guard rules, C-76).

    A destination that was verified within `verified_pass` passes the rules of `unverified`; with None,
    no destination does.
    """

    numbers: Moded = Moded()
    guesses: Budgeted = Budgeted(mode=Mode.RECORD, limit=Rate("50/1d"))
    countries: Countries = Countries()
    unverified: Unverified = Unverified()
    sends: Sends = Sends()
    verified_pass: Duration | None = Duration("90d")


DEFAULT_POLICY = GuardPolicy()
_A_DAY = timedelta(days=1)


def longest_window(policy: GuardPolicy) -> timedelta:
    """Return the longest window of a policy's limits; that of an adaptive limit is a day."""
    unverified, sends = policy.unverified, policy.sends
    limits = (
        policy.guesses,
        unverified.country,
        unverified.prefix,
        unverified.ip,
        sends.account,
        *sends.channels.values(),
    )
    return max([_A_DAY, *(each.limit.window for each in limits if each and each.limit)])
