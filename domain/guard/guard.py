"""The guard of an account: its policy, and the adaptive limits of countries (C-76, C-78)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from ..conditions import StartAnew
from ..decider import Decider, Decision
from ..errors import FieldProblem, ValidationFailedError
from ..rate_limit import Rate
from .budgets import budget_of
from .code_sends import country_rate
from .events import (
    CountryBaselineSet,
    GuardEvent,
    GuardPolicyRevised,
    SubjectReleased,
    TestDestinationNoted,
)
from .policy import DEFAULT_POLICY, LEAST_OF_COUNTRY, Budgeted, GuardPolicy
from .policy_problems import policy_problems
from .rules import Mode, Rule

# The adaptive limit of a country: a fifth of the most verified on a day of this many (guard rules).
BASELINE_DAYS = 14
_SHARE = 5
# Every node has those of an account in memory.
MOST_TESTS = 1_000


@frozen
class LiveTest:
    """A test destination as creates need it: its id and its end."""

    test_id: str
    until: datetime


@frozen(kw_only=True)
class Guard:
    """
    The state of an account's guard; an account without events has `Guard(account_id=…)`.

    `baselines` has the adaptive limits of a day by country; other countries have the least one.
    `revised_at` is None while the policy is the default one, `created_at` without events. `tests` has
    the test destinations by their people; those that are over leave it with the next event about one.
    """

    account_id: str
    policy: GuardPolicy = DEFAULT_POLICY
    baselines: Mapping[str, int] = field(factory=dict)
    revised_at: datetime | None = None
    created_at: datetime | None = None
    tests: Mapping[str, LiveTest] = field(factory=dict)

    def test_of(self, person_id: str, now: datetime) -> str | None:
        """Return the id of a person's test destination; None for an ordinary destination."""
        live = self.tests.get(person_id)
        return None if live is None or live.until <= now else live.test_id

    def rate_of(self, rule: Rule, key: str) -> Rate | None:
        """Return the rate that a rule counts for a key; None if it counts nothing."""
        budgeted = self._budgeted(rule, key)
        if budgeted is None or budgeted.mode is Mode.OFF:
            return None
        if rule is Rule.COUNTRY:
            return country_rate(budgeted, self.baselines, key)
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


def set_baselines(
    guard: Guard, at: datetime, day: date, most_verified: Mapping[str, int]
) -> Decision:
    """
    Set the adaptive limits that change on a day; `most_verified` are the best days of countries.

    A country that is not in it had no verified code, and falls back to the least limit.
    """
    decision = Decision()
    for country in sorted(most_verified.keys() | guard.baselines.keys()):
        most = most_verified.get(country, 0)
        baseline = CountryBaselineSet(
            at=at,
            account_id=guard.account_id,
            country=country,
            most_verified=most,
            limit=adaptive_limit(most),
            day=day,
        )
        decision = decision.followed_by(set_baseline(guard, baseline))
    return decision


def release(guard: Guard | None, released: SubjectReleased) -> Decision:
    """Let a subject go: its budget counts from zero; nothing happens under a rule that counts nothing."""
    account_id, rule, key = released.account_id, released.rule, released.key
    rate = (guard or Guard(account_id=account_id)).rate_of(rule, key)
    if rate is None:
        return Decision()
    return Decision((released,), (StartAnew(budget_of(rule, account_id, key, rate.window)),))


def note_test(guard: Guard | None, noted: TestDestinationNoted) -> Decision:
    """Note a test destination, or its end; an account has a bounded number of them."""
    live = {} if guard is None else _live(guard, noted.at)
    if noted.until is None:
        return (
            Decision((noted,))
            if guard is not None and noted.person_id in guard.tests
            else Decision()
        )
    if noted.person_id not in live and len(live) >= MOST_TESTS:
        raise ValidationFailedError(
            [
                FieldProblem(
                    "destination", f"is one too many: {MOST_TESTS} live already; remove some"
                )
            ]
        )
    return Decision((noted,))


def _live(guard: Guard, now: datetime) -> dict[str, LiveTest]:
    return {person: each for person, each in guard.tests.items() if each.until > now}


def begin(event: GuardEvent) -> Guard:
    """Return the state after the first event."""
    return evolve(Guard(account_id=event.account_id, created_at=event.at), event)


def evolve(guard: Guard, event: GuardEvent) -> Guard:
    """Apply a later event."""
    match event:
        case GuardPolicyRevised():
            return attrs.evolve(guard, policy=event.policy, revised_at=event.at)
        case CountryBaselineSet():
            return attrs.evolve(guard, baselines={**guard.baselines, event.country: event.limit})
        case SubjectReleased():
            return guard
        case TestDestinationNoted():
            tests = _live(guard, event.at)
            tests.pop(event.person_id, None)
            if event.until is not None:
                tests[event.person_id] = LiveTest(event.test_id, event.until)
            return attrs.evolve(guard, tests=tests)
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
        case TestDestinationNoted():
            return note_test(guard, event)
        case _:
            assert_never(event)


guard_decider: Decider[Guard] = Decider(
    "guard", begin, get_args(GuardEvent), evolve, get_args(GuardEvent)
)
