"""Builds the rebuild of what follows from the log (C-81)."""

from __future__ import annotations

from ...application.audit.rebuilding import Rebuilding
from ...application.concurrency.bulk_lane import BulkLane
from ...application.journal import Journal
from ...application.statistics.eras import RebuildingStatistics
from .ports import Ports


def rebuilding(
    ports: Ports, journal: Journal, statistics: RebuildingStatistics, lane: BulkLane
) -> Rebuilding:
    """Build it; it shares the event loop with bulk work."""
    return Rebuilding(journal, ports.person_keys, statistics, lane, ports.randomness, ports.clock)
