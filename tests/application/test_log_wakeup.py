"""What wakes a follower of the log: events of this process, while its follower needs any (D-182)."""

from __future__ import annotations

from tests.contracts.event_store.histories import FERN, grown, step
from watchword.application.log_wakeup import LogWakeup


async def test_events_wake_each_follower() -> None:
    """A follower that clears its wake-up leaves those of the others set."""
    statistics, seals = LogWakeup(), LogWakeup()
    for each in (statistics, seals):
        each.committed(step(grown(FERN)), 0.0)
    statistics.clear()

    assert not await statistics.wait(0)
    assert await seals.wait(0)


async def test_an_append_without_events_wakes_nobody() -> None:
    """The log has not grown."""
    wakeup = LogWakeup()
    wakeup.committed(step(), 0.0)

    assert not await wakeup.wait(0)


async def test_a_follower_that_needs_no_event_sleeps_on() -> None:
    """A use case can wake it all the same, as the creation of an endpoint does."""
    wakeup = LogWakeup()
    wakeup.wanted = False
    wakeup.committed(step(grown(FERN)), 0.0)
    assert not await wakeup.wait(0)
    wakeup.wake()

    assert await wakeup.wait(0)
