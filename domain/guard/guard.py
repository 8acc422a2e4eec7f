"""The guard of an account: its policy, and the adaptive limits of countries (C-76, C-78)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from ..conditions import StartAnew
from ..decider import Decider, Decision
from ..errors import ValidationFailedError
from ..rate_limit import Rate
from .budgets import budget_of
from .events import CountryBaselineSet, GuardEvent, GuardPolicyRevised, SubjectReleased
from .policy import DEFAULT_POLICY, LEAST_OF_COUNTRY, Budgeted, GuardPolicy
from .policy_problems import policy_problems
from .rules import Mode, Rule

# The adaptive limit of a country: a fifth of the most verified on a day of this many (guard rules).
BASELINE_DAYS = 14
_SHARE = 5


@frozen(kw_only=True)
class Guard:
    """
    The state of an account's guard; an account without events has `Guard(account_id=…)`.

    `baselines` has the adaptive limits of a day by country; other countries have the least one.
    `revised_at` is None while the policy is the default one.
    """

    account_id: str
    policy: GuardPolicy = DEFAULT_POLICY
    baselines: Mapping[str, int] = field(factory=dict)
    revised_at: datetime | None = None

    def rate_of(self, rule: Rule, key: str) -> Rate | None:
        """Return the rate that a rule counts for a key; None if it counts nothing."""
        budgeted = self._budgeted(rule, key)
        if budgeted is None or budgeted.mode is Mode.OFF:
            return None
        if rule is Rule.COUNTRY and budgeted.limit is None:
            return Rate(f"{self.baselines.get(key, LEAST_OF_COUNTRY)}/1d")
        return budgeted.limit

    def _budgeted(self, rule: Rule, key: str) -> Budgeted | None:
        policy = self.policy
        match rule:
            case Rule.NUMBERS | Rule.COUNTRIES:
                return None
            case Rule.GUESSES:
                return policy.guesses
            case Rule.COUNTRY:
                return policy.unverified.country
            case Rule.PREFIX:
                return policy.unverified.prefix
            case Rule.IP:
                return policy.unverified.ip
            case Rule.ACCOUNT:
                return policy.sends.account
            case Rule.CHANNELS:
                return policy.sends.channels.get(key)
            case _:
                assert_never(rule)


def adaptive_limit(most_verified: int) -> int:
    """Return how many unverified codes a day a country may have, by the most verified on a day."""
    return max(LEAST_OF_COUNTRY, most_verified // _SHARE)


def revise(guard: Guard | None, revised: GuardPolicyRevised) -> Decision:
    """Replace the policy; nothing happens when the account has it already."""
    if problems := policy_problems(revised.policy):
        raise ValidationFailedError(problems)
    if revised.policy == (DEFAULT_POLICY if guard is None else guard.policy):
        return Decision()
    return Decision((revised,))


def set_baseline(guard: Guard | None, baseline: CountryBaselineSet) -> Decision:
    """Set the adaptive limit of a country; nothing happens when it has it already."""
    held = {} if guard is None else guard.baselines
    if baseline.limit == held.get(baseline.country, LEAST_OF_COUNTRY):
        return Decision()
    return Decision((baseline,))


def release(guard: Guard | None, released: SubjectReleased) -> Decision:
    """Let a subject go: its budget counts from zero; nothing happens under a rule that counts nothing."""
    account_id, rule, key = released.account_id, released.rule, released.key
    rate = (guard or Guard(account_id=account_id)).rate_of(rule, key)
    if rate is None:
        return Decision()
    return Decision((released,), (StartAnew(budget_of(rule, account_id, key, rate.window)),))


def begin(event: GuardEvent) -> Guard:
    """Return the state after the first event."""
    return evolve(Guard(account_id=event.account_id), event)


def evolve(guard: Guard, event: GuardEvent) -> Guard:
    """Apply a later event."""
    match event:
        case GuardPolicyRevised():
            return attrs.evolve(guard, policy=event.policy, revised_at=event.at)
        case CountryBaselineSet():
            return attrs.evolve(guard, baselines={**guard.baselines, event.country: event.limit})
        case SubjectReleased():
            return guard
        case _:
            assert_never(event)


def redecide(guard: Guard | None, event: GuardEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    match event:
        case GuardPolicyRevised():
            return revise(guard, event)
        case CountryBaselineSet():
            return set_baseline(guard, event)
        case SubjectReleased():
            return release(guard, event)
        case _:
            assert_never(event)


guard_decider: Decider[Guard] = Decider(
    "guard", begin, get_args(GuardEvent), evolve, get_args(GuardEvent)
)
