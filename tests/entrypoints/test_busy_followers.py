"""Due work ends although others write events all the time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tests.contracts.event_store.histories import grown, step
from tests.fakes.clocks import StillClock
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.journal import Journal
from watchword.application.log_follower import Consequences, LogFollower
from watchword.application.log_wakeup import LogWakeup
from watchword.application.ports.event_store import EventStore, Recorded
from watchword.entrypoints.worker import run_due, run_due_to_the_end


def busy(store: EventStore) -> LogFollower[Recorded]:
    """Return a follower that another event follows with each batch."""
    journal = Journal(store)

    async def react(batch: Sequence[Recorded]) -> Consequences:
        await store.append(step(grown(f"fern-{batch[-1].position + 1}")))
        return Consequences()

    return LogFollower("busy", journal, StillClock(), LogWakeup(), journal.read_log, react)


async def test_a_follower_catches_up_with_the_events_there_are() -> None:
    """Those that come while it follows are left for the next time."""
    store = MemoryEventStore()
    for number in range(3):
        await store.append(step(grown(f"moss-{number}")))

    async with asyncio.timeout(5):
        assert 3 == await run_due([busy(store)])
        assert 1 == await run_due([busy(store)])


async def test_due_work_to_the_end_does_not_wait_for_later_events() -> None:
    """What others write meanwhile keeps neither a service nor a sandbox's clock from its end."""
    store = MemoryEventStore()
    await store.append(step(grown("moss")))

    async with asyncio.timeout(5):
        assert 0 == await run_due_to_the_end([busy(store)], [], await store.newest())
        assert 0 == await run_due([busy(store)], known=1)
