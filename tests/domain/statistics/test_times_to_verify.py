"""The buckets of the times to verify, and the quantiles in them (C-80)."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.domain.statistics import BOUNDS, bucket_of, quantile


@pytest.mark.parametrize(
    ("microseconds", "bucket"),
    [
        (-5, 0),
        (0, 0),
        (1_000_000, 0),
        (1_000_001, 1),
        (86_400_000_000, len(BOUNDS) - 1),
        (86_400_000_001, len(BOUNDS)),
    ],
)
def test_a_bound_is_in_its_bucket(microseconds: int, bucket: int) -> None:
    """A time a microsecond above it is in the next one."""
    assert bucket == bucket_of(microseconds)


@given(st.lists(st.integers(0, 100_000), max_size=200), st.sampled_from([50, 95]))
def test_a_quantile_is_the_bound_above_the_time_of_its_rank(
    seconds: list[int], percent: int
) -> None:
    """No time of the rank or before is above it, and the bound before is too small."""
    counts = [0] * (len(BOUNDS) + 1)
    for each in seconds:
        counts[bucket_of(each * 1_000_000)] += 1
    if not seconds:
        assert quantile(counts, percent) is None
        return
    nearest = sorted(seconds)[ceil(percent * len(seconds) / 100) - 1]

    assert next((each for each in BOUNDS if nearest <= each), BOUNDS[-1]) == quantile(
        counts, percent
    )
