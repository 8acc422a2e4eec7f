"""Clocks: the machine's, and the one that a sandbox moves (C-39)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from watchword.adapters.clock import MovableClock, SystemClock

HOUR = timedelta(hours=1)


@pytest.mark.parametrize("clock", [SystemClock(), MovableClock()])
def test_a_clock_tells_utc(clock: SystemClock | MovableClock) -> None:
    """Both times have a zone, and are those of the machine."""
    before = datetime.now(UTC)

    assert before <= clock.now() <= clock.real() + timedelta(seconds=1)
    assert UTC == clock.now().tzinfo == clock.real().tzinfo


def test_a_moved_clock_runs_on_from_its_offset() -> None:
    """Moves add up; the machine's time does not change."""
    clock = MovableClock(HOUR)
    clock.advance(HOUR)

    assert 2 * HOUR == clock.offset
    assert abs(clock.now() - clock.real() - 2 * HOUR) < timedelta(seconds=1)
    assert abs(clock.real() - datetime.now(UTC)) < timedelta(seconds=1)
