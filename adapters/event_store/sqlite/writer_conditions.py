"""The conditions of an append in a message to the writer process: a kind, and the fields in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from ....domain.conditions import (
    Condition,
    GiveBack,
    Hold,
    PersonLives,
    Release,
    SoleHolder,
    StartAnew,
    Unchanged,
    VerifiedAfter,
    Verifies,
    WithinBudget,
    WithinRate,
    WithinTotal,
)
from ....domain.rate_limit import Rate


def flat_condition(condition: Condition) -> tuple[Any, ...]:
    """Return the kind of a condition and its fields; a rate is its text, a window its microseconds."""
    return _FLAT[type(condition)](condition)


def condition_of(sent: Sequence[Any]) -> Condition:
    """Return the condition that `flat_condition` made flat."""
    return _CONDITIONS[sent[0]](*sent[1:])


def _within_rate(subject: str, rate: str, at: datetime, counted: bool) -> WithinRate:
    return WithinRate(subject, _rate(rate), at, counted)


def _sole_holder(subject: str, holder: str, retiring: list[str]) -> SoleHolder:
    return SoleHolder(subject, holder, frozenset(retiring))


def _within_budget(
    subject: str, rate: str, at: datetime, rule: str, counted: bool, over: bool
) -> WithinBudget:
    return WithinBudget(subject, _rate(rate), at, rule, counted, over)


def _give_back(subject: str, window: int, sent_at: datetime) -> GiveBack:
    return GiveBack(subject, window * _MICROSECOND, sent_at)


_MICROSECOND = timedelta(microseconds=1)
# Most uses have one of a few rates.
_rate = lru_cache(maxsize=1024)(Rate)
_CONDITIONS: Mapping[str, Callable[..., Condition]] = {
    "rate": _within_rate,
    "total": WithinTotal,
    "sole": _sole_holder,
    "hold": Hold,
    "release": Release,
    "unchanged": Unchanged,
    "lives": PersonLives,
    "budget": _within_budget,
    "back": _give_back,
    "anew": StartAnew,
    "after": VerifiedAfter,
    "verifies": Verifies,
}
# Field by field: msgspec would look up the fields of an object by name.
_FLAT: Mapping[type[Condition], Callable[[Any], tuple[Any, ...]]] = {
    WithinRate: lambda each: ("rate", each.subject, each.rate.text, each.at, each.counted),
    WithinTotal: lambda each: ("total", each.subject, each.amount, each.most, each.period),
    SoleHolder: lambda each: ("sole", each.subject, each.holder, each.retiring),
    Hold: lambda each: ("hold", each.subject, each.holder),
    Release: lambda each: ("release", each.subject, each.holder),
    Unchanged: lambda each: ("unchanged", each.stream, each.version),
    PersonLives: lambda each: ("lives", each.person_id),
    WithinBudget: lambda each: (
        "budget",
        each.subject,
        each.rate.text,
        each.at,
        each.rule,
        each.counted,
        each.over,
    ),
    GiveBack: lambda each: ("back", each.subject, each.window // _MICROSECOND, each.sent_at),
    StartAnew: lambda each: ("anew", each.subject),
    VerifiedAfter: lambda each: ("after", each.person_id, each.after, each.holds),
    Verifies: lambda each: ("verifies", each.person_id, each.at),
}
