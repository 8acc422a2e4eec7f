"""The limits on the appends of an account, and the refusals when one is reached."""

from __future__ import annotations

from datetime import datetime, timedelta

from ..domain.accounts.account_limits import MEDIA_RETRY, day_ends_in, within_stored_bytes
from ..domain.conditions import Condition, WithinRate, WithinTotal
from ..domain.errors import RateLimitedError
from .caller import Caller
from .ports.event_store import Append, RateReached, TotalReached


def limits_of(by: Caller, at: datetime, *, bounded: bool) -> tuple[Condition, ...]:
    """
    Return the limits that apply to every append of a caller.

    The account's stored bytes of a day count every append. They refuse only `bounded` ones: an outcome
    is always recorded (D-138).
    """
    if by.stored_bytes_per_day is None:
        return ()
    return (within_stored_bytes(by.account_id, by.stored_bytes_per_day, at, bounded=bounded),)


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
