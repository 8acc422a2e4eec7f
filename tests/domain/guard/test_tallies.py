"""Budgets: sends counted in buckets of a sixtieth of a window (C-102)."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from watchword.domain.guard import Tally, bucket_at, bucket_width, reached_until
from watchword.domain.rate_limit import Rate

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
RATE = Rate("3/1h")


def tallies(*sends: datetime, verified: int = 0) -> dict[int, Tally]:
    """Return the tallies of sends under `RATE`; `verified` of the first bucket were verified."""
    found: dict[int, Tally] = {}
    for each in sends:
        bucket = bucket_at(each, RATE.window)
        found[bucket] = Tally(found.get(bucket, Tally()).sent + 1)
    if verified:
        first = min(found)
        found[first] = Tally(found[first].sent, verified)
    return found


def test_a_budget_has_room_below_its_rate() -> None:
    """Two sends of three leave room for one."""
    assert None is reached_until(tallies(NOON, NOON), RATE, NOON)


def test_a_budget_is_reached_until_its_oldest_bucket_leaves() -> None:
    """The oldest bucket counts whole, so its sends count for a minute more than the hour at most."""
    sends = tallies(NOON, NOON + timedelta(minutes=5), NOON + timedelta(minutes=6))

    until = reached_until(sends, RATE, NOON + timedelta(minutes=7))

    assert until == NOON + timedelta(minutes=61)
    assert None is reached_until(sends, RATE, until)
    assert reached_until(sends, RATE, until - timedelta(microseconds=1)) == until


def test_a_verified_send_gives_its_place_back() -> None:
    """Of three sends one was verified, so there is room for one more."""
    assert None is reached_until(tallies(NOON, NOON, NOON, verified=1), RATE, NOON)


def test_a_send_in_the_future_counts() -> None:
    """A clock that was set back by a day empties no budget."""
    sends = tallies(NOON, NOON, NOON)

    assert None is not reached_until(sends, RATE, NOON - timedelta(days=1))


@given(
    st.lists(st.integers(0, 7200), max_size=12),
    st.integers(0, 7200),
)
def test_a_budget_counts_at_most_a_sixtieth_longer_than_its_window(
    seconds: list[int], now: int
) -> None:
    """A send within the window always counts; one that is a bucket older than the window never does."""
    at = NOON + timedelta(seconds=now)
    sends = [NOON + timedelta(seconds=each) for each in seconds if each <= now]
    certain = [each for each in sends if at - each < RATE.window]
    possible = [each for each in sends if at - each < RATE.window + bucket_width(RATE.window)]

    until = reached_until(tallies(*sends), RATE, at)

    if len(certain) >= RATE.count:
        assert until is not None
        assert until > at
    if len(possible) < RATE.count:
        assert until is None
