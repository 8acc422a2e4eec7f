"""What is wrong with a guard policy: rules that span its members (C-76, C-102)."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import FieldProblem
from .countries import COUNTRIES, NOT_A_COUNTRY
from .policy import Budgeted, Countries, GuardPolicy
from .rules import Mode

_ONE_LIST = "must have exactly one of allow and refuse, unless its mode is off"
_A_LIMIT = "must be set, unless the mode is off"


def policy_problems(policy: GuardPolicy) -> list[FieldProblem]:
    """Return every problem of a policy, by its path."""
    return [
        *_of_countries(policy.countries),
        *(
            FieldProblem(f"{path}.limit", _A_LIMIT)
            for path, rule in _with_limits(policy)
            if rule.mode is not Mode.OFF and rule.limit is None
        ),
        *(
            [FieldProblem("verified_pass", "must be above zero, or null for no pass")]
            if policy.verified_pass is not None and not policy.verified_pass.span
            else ()
        ),
    ]


def _of_countries(countries: Countries) -> Iterator[FieldProblem]:
    for name, codes in (("allow", countries.allow), ("refuse", countries.refuse)):
        if wrong := sorted((codes or frozenset()) - COUNTRIES):
            yield FieldProblem(f"countries.{name}", f"{NOT_A_COUNTRY}; not {wrong[0]}")
    if countries.mode is not Mode.OFF and (countries.allow is None) == (countries.refuse is None):
        yield FieldProblem("countries", _ONE_LIST)


def _with_limits(policy: GuardPolicy) -> Iterator[tuple[str, Budgeted]]:
    """Yield the rules that have no limit of their own accord; that of a country is adaptive."""
    yield "guesses", policy.guesses
    yield "unverified.prefix", policy.unverified.prefix
    yield "unverified.ip", policy.unverified.ip
    if policy.sends.account is not None:
        yield "sends.account", policy.sends.account
    for channel, rule in policy.sends.channels.items():
        yield f"sends.channels.{channel}", rule
