"""Console sessions: 30 minutes idle, 8 hours at most, by the machine's clock (C-85, D-491)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given as given_any
from hypothesis import strategies as st

from tests.specs import given
from watchword.domain.accounts.console_session import (
    IDLE,
    LAST_USE_EVERY,
    LONGEST,
    ConsoleSession,
    ConsoleSessionBegun,
    ConsoleSessionEnded,
    ConsoleSessionUsed,
    begin,
    console_session_decider,
    end,
    redecide,
    use,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
# A sandbox's clock, which is far ahead of the machine's.
AHEAD = NOON + timedelta(days=900)
MINUTE, SECOND, TICK = timedelta(minutes=1), timedelta(seconds=1), timedelta(microseconds=1)
BEGUN = ConsoleSessionBegun(
    at=AHEAD, began_at=NOON, token_id="tok_tea", secret_hash="hash of a secret"
)
# Gaps between looks at the console: mostly short, some as long as a meeting, some at the limits.
GAPS = st.lists(
    st.one_of(
        st.timedeltas(timedelta(0), 2 * MINUTE),
        st.timedeltas(timedelta(0), 45 * MINUTE),
        st.sampled_from([LAST_USE_EVERY, LAST_USE_EVERY - TICK, IDLE, IDLE - TICK, LONGEST]),
    ),
    max_size=80,
)


def test_a_use_is_recorded_at_most_once_a_minute() -> None:
    """The machine's clock counts; the event has the service's time as every other."""
    begun = given(BEGUN)
    begun.when(use, AHEAD, NOON + MINUTE - TICK).nothing()
    (
        begun.when(use, AHEAD, NOON + MINUTE)
        .then(ConsoleSessionUsed(at=AHEAD, used_at=NOON + MINUTE))
        .leaving(ends_at=NOON + MINUTE + IDLE)
    )


@pytest.mark.parametrize("minutes", [30, 31, 480, 100_000])
def test_a_session_that_is_over_is_not_used(minutes: int) -> None:
    """No use brings it back."""
    given(BEGUN).when(use, AHEAD, NOON + minutes * MINUTE).nothing()


def test_an_ended_session_is_over_at_once_and_for_good() -> None:
    """A second end and a use add nothing."""
    ended = ConsoleSessionEnded(at=AHEAD)
    given(BEGUN).when(end, AHEAD).then(ended).leaving(ended_at=AHEAD)
    over = given(BEGUN, ended)
    over.when(end, AHEAD).nothing()
    over.when(use, AHEAD, NOON + 2 * MINUTE).nothing()

    assert not console_session_decider.fold([BEGUN, ended]).open_at(NOON + SECOND)


@given_any(GAPS)
def test_a_session_ends_within_a_minute_before_thirty_idle_ones(gaps: list[timedelta]) -> None:
    """
    However it is used: it is open for 29 idle minutes at least, and never for 30, nor for 8 hours.

    The uses on record are a minute apart at least.
    """
    session, real, last = begin(BEGUN), NOON, NOON
    recorded = [NOON]
    for gap in gaps:
        real += gap
        idle, age = real - last, real - NOON
        opened = session.open_at(real)
        if idle >= IDLE or age >= LONGEST:
            assert not opened
        elif idle <= IDLE - LAST_USE_EVERY:
            assert opened
        if not opened:
            assert not use(session, AHEAD, real).events
            return
        last = real
        session = _used(session, real)
        if session.used_at not in (None, recorded[-1]):
            recorded.append(real)

    assert all(later - sooner >= LAST_USE_EVERY for sooner, later in pairwise(recorded))


@given_any(GAPS)
def test_an_open_session_stays_open_until_it_says(gaps: list[timedelta]) -> None:
    """`ends_at` is the first moment at which it is over, if nobody uses it before."""
    session, real = begin(BEGUN), NOON
    for gap in gaps:
        real += gap
        assert session.open_at(session.ends_at - TICK)
        assert not session.open_at(session.ends_at)
        session = _used(session, real)


@given_any(GAPS)
def test_the_audit_decides_every_use_again(gaps: list[timedelta]) -> None:
    """Each recorded event is what its decision makes on the state before it (D-157)."""
    session, real = begin(BEGUN), NOON
    assert redecide(None, BEGUN).events == (BEGUN,)
    for gap in gaps:
        real += gap
        for event in use(session, AHEAD, real).events:
            assert isinstance(event, ConsoleSessionUsed)
            assert redecide(session, event).events == (event,)
        session = _used(session, real)


def test_a_use_within_the_minute_is_one_that_no_decision_makes() -> None:
    """An audit names it."""
    early = ConsoleSessionUsed(at=AHEAD, used_at=NOON + SECOND)

    assert not redecide(begin(BEGUN), early).events


def _used(session: ConsoleSession, real: datetime) -> ConsoleSession:
    """Return the session after a use of it."""
    return console_session_decider.fold(use(session, AHEAD, real).events, session)
