"""What a verdict counts in the guard's budgets, and gives back to them (C-102)."""

from __future__ import annotations

from collections.abc import Iterator

from ..conditions import Condition, GiveBack, StartAnew, Verifies, WithinBudget
from ..guard.budgets import budget_of, rule_and_window
from ..guard.guarded import GuessesLimit
from ..guard.rules import UNVERIFIED, Rule
from .commands import VerifyPin
from .states import Pin


def of_wrong_guess(command: VerifyPin) -> tuple[Condition, ...]:
    """Return the conditions of a wrong guess: it counts against the destination."""
    limit = command.guesses
    return () if limit is None else (_guess(limit, command, counted=not limit.over),)


def of_right_guess(pin: Pin, command: VerifyPin) -> tuple[Condition, ...]:
    """
    Return the conditions of a right guess.

    It must be within the limit of guesses, too, so that nobody learns whether a guess over it was right.
    It then sets the count of wrong ones to zero, gives back what the sends of the PIN counted, and lets
    the person pass (guard rules). A test does neither: nobody has shown that codes arrive (C-103).
    """
    conditions: list[Condition] = []
    if (limit := command.guesses) is not None:
        conditions += (_guess(limit, command, counted=False), StartAnew(limit.subject))
    if not pin.test:
        conditions += (*_given_back(pin, command), Verifies(pin.person_id, command.at))
    return tuple(conditions)


def _guess(limit: GuessesLimit, command: VerifyPin, *, counted: bool) -> WithinBudget:
    return WithinBudget(limit.subject, limit.rate, command.at, Rule.GUESSES, counted, limit.over)


def _given_back(pin: Pin, command: VerifyPin) -> Iterator[GiveBack]:
    keys = {Rule.COUNTRY: pin.country, Rule.PREFIX: command.prefix, Rule.IP: pin.context_ip}
    for sent_at, texts in pin.counted:
        for text in texts:
            rule, window = rule_and_window(text)
            key = keys[rule] if rule in UNVERIFIED else None
            if key is not None:
                yield GiveBack(budget_of(rule, pin.account_id, key, window), window, sent_at)
