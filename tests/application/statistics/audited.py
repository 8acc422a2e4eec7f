"""The check of the statistics in a store."""

from __future__ import annotations

from collections.abc import Sequence

from watchword.application.audit.counted.statistics_rows import StatisticsRows
from watchword.application.audit.differences import Difference
from watchword.application.journal import Journal
from watchword.application.ports.clock import Clock
from watchword.application.ports.event_store import EventStore


async def audited(store: EventStore, clock: Clock) -> Sequence[Difference]:
    """Return the differences between the statistics of a store and its log."""
    journal = Journal(store)
    async with journal.snapshot() as snapshot:
        rows = StatisticsRows(snapshot, journal, clock.now())
        return [each async for each in rows.differences()]
