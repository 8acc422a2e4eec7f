"""The fixed buckets of the seconds from a send to its verification, and quantiles read from them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

_SECOND = 1_000_000
# The greatest number of seconds of each bucket; one more bucket has all longer times.
BOUNDS = (
    1,
    2,
    3,
    5,
    7,
    10,
    15,
    20,
    30,
    45,
    60,
    90,
    120,
    180,
    300,
    600,
    1_800,
    3_600,
    21_600,
    86_400,
)
_BOUNDS = [each * _SECOND for each in BOUNDS]


def bucket_of(microseconds: int) -> int:
    """Return the number of the bucket of a time; a clock that was set back makes no time below zero."""
    return bisect_left(_BOUNDS, microseconds)


def quantile(counts: Sequence[int], percent: int) -> int | None:
    """
    Return the seconds within which so many percent of the verifications came, as the bound of a bucket.

    None means that there are none. Times above all bounds count as the greatest bound.
    """
    wanted = percent * sum(counts)
    if not wanted:
        return None
    within = 0
    for bound, count in zip(BOUNDS, counts, strict=False):
        within += 100 * count
        if within >= wanted:
            return bound
    return BOUNDS[-1]
