"""The budgets that a send of a code counts in, by the policy of its account (C-76, C-102)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from attrs import field

from ..channel import ChannelName
from ..rate_limit import Rate
from ..value import value
from .budgets import budget_of
from .policy import LEAST_OF_COUNTRY, MOST_GUESSES, Budgeted, GuardPolicy
from .rules import UNVERIFIED, Mode, Rule


@value(kw_only=True)
class CodeSend:
    """
    A send of a code, as budgets see it.

    `prefix` and `ip` are the keys of their budgets, so HMACs in a store; None for a send without one, as
    one to an e-mail address alone has no prefix.
    """

    account_id: str
    channels: tuple[ChannelName, ...]
    country: str | None
    prefix: str | None = field(repr=False)
    ip: str | None = field(default=None, repr=False)


class Budget(NamedTuple):
    """One budget that a send counts in: how strictly it holds, and its limit."""

    rule: Rule
    mode: Mode
    name: str
    rate: Rate

    def counts(self, *, flagged: bool) -> bool:
        """
        Return whether this counts a send that is let through; `flagged` if a recorded rule is against it.

        An enforced one counts all of them: else a caller who earns a flag would have no limit (D-412).
        """
        return not flagged or self.mode is Mode.ENFORCE


def budgets_of(
    policy: GuardPolicy, baselines: Mapping[str, int], send: CodeSend
) -> Iterator[Budget]:
    """
    Yield the budgets of a send in the order in which a refusal names the first.

    `baselines` has the adaptive limit of a day by country; others have the least one.
    """
    account, limits = send.account_id, policy.unverified
    if send.country is not None:
        limit = country_rate(limits.country, baselines, send.country)
        yield from _budget(Rule.COUNTRY, limits.country, limit, account, send.country)
    if send.prefix is not None:
        yield from _budget(Rule.PREFIX, limits.prefix, limits.prefix.limit, account, send.prefix)
    if send.ip is not None:
        yield from _budget(Rule.IP, limits.ip, limits.ip.limit, account, send.ip)
    sends = policy.sends
    if sends.account is not None:
        yield from _budget(Rule.ACCOUNT, sends.account, sends.account.limit, account, "")
    for channel in send.channels:
        of_channel = sends.channels.get(channel)
        if of_channel is not None:
            yield from _budget(Rule.CHANNELS, of_channel, of_channel.limit, account, channel)


def without_unverified(budgets: Iterable[Budget]) -> tuple[Budget, ...]:
    """Return those budgets that also count a destination that was verified lately."""
    return tuple([each for each in budgets if each.rule not in UNVERIFIED])


def country_rate(limited: Budgeted, baselines: Mapping[str, int], country: str) -> Rate:
    """Return the limit of a country: its own, or the adaptive one of a day."""
    return limited.limit or _rate(baselines.get(country, LEAST_OF_COUNTRY), "1d")


def guesses_budget(
    policy: GuardPolicy, account_id: str, person_id: str, attempts: int
) -> Budget | None:
    """
    Return the budget of wrong guesses against a destination, under a template with so many attempts.

    One PIN may always be guessed to its end, so the limit is at least one more than the attempts, and
    never above 100.
    """
    mode, limit = policy.guesses.mode, policy.guesses.limit
    if mode is Mode.OFF or limit is None:
        return None
    most = min(MOST_GUESSES, max(limit.count, attempts + 1))
    rate = limit if most == limit.count else _rate(most, limit.text.partition("/")[2])
    name = budget_of(Rule.GUESSES, account_id, person_id, rate.window)
    return Budget(Rule.GUESSES, mode, name, rate)


# A policy has few limits, and every send needs them.
@lru_cache(maxsize=256)
def _rate(count: int, window: str) -> Rate:
    return Rate(f"{count}/{window}")


def _budget(
    rule: Rule, limited: Budgeted, rate: Rate | None, account_id: str, key: str
) -> Iterator[Budget]:
    if limited.mode is not Mode.OFF and rate is not None:
        yield Budget(rule, limited.mode, budget_of(rule, account_id, key, rate.window), rate)
