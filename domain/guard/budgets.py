"""
Budgets: what a rule counts for one subject, by the name that the store knows it by.

No name contains a number: prefixes and IPs are HMACs (guard.md section 1).
"""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache

from ..rate_limit import Rate
from .rules import Rule

_MICROSECOND = timedelta(microseconds=1)


def budget_of(rule: Rule, account_id: str, key: str, window: timedelta) -> str:
    """
    Return the name of a budget; `key` is a country, a channel, a person's id, or the HMAC of another.

    Buckets of another width count apart, so a policy with another window begins to count anew.
    """
    return f"{under_any_window(rule, account_id, key)}{window // _MICROSECOND}"


def under_any_window(rule: Rule, account_id: str, key: str) -> str:
    """Return how the names of a subject's budgets begin, whatever their windows."""
    return f"{rule}:{key}:{account_id}:"


def key_in(budget: str) -> str:
    """Return the key in the name of a budget; no key has a colon."""
    return budget.split(":", 2)[1]


def guesses_of(person_id: str) -> str:
    """Return how the names of all budgets of a person's guesses begin."""
    return f"{Rule.GUESSES}:{person_id}:"


def counted(rule: Rule, rate: Rate) -> str:
    """Return how an event says that its send was counted: the rule and its window, `unverified.ip/1h`."""
    return f"{rule}/{rate.text.partition('/')[2]}"


@lru_cache(maxsize=256)
def rule_and_window(text: str) -> tuple[Rule, timedelta]:
    """Return the rule and the window in a text that `counted` returned."""
    rule, _, window = text.rpartition("/")
    return Rule(rule), Rate(f"1/{window}").window
