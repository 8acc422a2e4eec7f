"""Tallies: the sends that a budget counts, in buckets of a sixtieth of its window (C-102)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from ..rate_limit import Rate

BUCKETS = 60
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SECONDS_OF_A_DAY = 86_400


class Tally(NamedTuple):
    """What one bucket counts: the sends, and those of them that were verified."""

    sent: int = 0
    verified: int = 0


def bucket_width(window: timedelta) -> timedelta:
    """Return the span of a bucket: a sixtieth of the window."""
    return max(window // BUCKETS, _MICROSECOND)


def bucket_at(at: datetime, window: timedelta) -> int:
    """Return the number of the bucket that counts a send at a time."""
    since = at - _EPOCH
    # A quotient of two timedeltas takes three times as long.
    seconds = since.days * _SECONDS_OF_A_DAY + since.seconds
    return (seconds * 1_000_000 + since.microseconds) // _microseconds(window)


@lru_cache(maxsize=256)
def _microseconds(window: timedelta) -> int:
    return bucket_width(window) // _MICROSECOND


def counts_until(bucket: int, window: timedelta) -> datetime:
    """Return the time from which no window reaches a bucket."""
    return _EPOCH + (bucket + BUCKETS + 1) * bucket_width(window)


def oldest_bucket(at: datetime, window: timedelta) -> int:
    """Return the number of the oldest bucket that reaches into the window before a time."""
    return bucket_at(at, window) - BUCKETS


def reached_until(
    tallies: Mapping[int, tuple[int, int]], rate: Rate, at: datetime
) -> datetime | None:
    """
    Return the time from which one more stays within the rate; None if it does now.

    What was verified does not count. The oldest bucket that reaches into the window counts whole, so a
    send may count for up to a sixtieth of the window longer. A send after `at` counts, too, because a
    clock that was set back must not empty a budget.
    """
    oldest = oldest_bucket(at, rate.window)
    counted = {
        number: sent - verified
        for number, (sent, verified) in tallies.items()
        if number >= oldest and sent > verified
    }
    total = sum(counted.values())
    if total < rate.count:
        return None
    leaving = oldest
    for number in sorted(counted):
        leaving, total = number, total - counted[number]
        if total < rate.count:
            break
    return counts_until(leaving, rate.window)
