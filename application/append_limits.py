"""The refusals of appends when a limit of an account is reached."""

from __future__ import annotations

from datetime import timedelta

from ..domain.accounts.account_limits import MEDIA_RETRY, day_ends_in
from ..domain.conditions import WithinRate, WithinTotal
from ..domain.errors import RateLimitedError
from .ports.event_store import Append, RateReached, TotalReached


def over_rate(reached: RateReached, append: Append) -> RateLimitedError:
    """Return the refusal for a reached rate, with the time until its subject may be used again."""
    rules = (
        each.rule
        for each in append.conditions
        if isinstance(each, WithinRate) and each.subject == reached.subject
    )
    return RateLimitedError(next(rules, ""), max(reached.free_at - append.at, timedelta(seconds=1)))


def over_total(reached: TotalReached, append: Append) -> RateLimitedError:
    """Return the refusal for a reached total, with the time after which a retry may succeed."""
    (total,) = (
        each
        for each in append.conditions
        if isinstance(each, WithinTotal) and each.subject == reached.subject
    )
    return RateLimitedError(total.rule, day_ends_in(append.at) if total.period else MEDIA_RETRY)
