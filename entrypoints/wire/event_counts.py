"""How much of what the log has, in the documented spelling (C-105)."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from ...application.evidence.counting_events import EventCounts
from .codec import wire_time


@frozen
class CoveredBody:
    """The newest signed head: how many events it covers, and its time."""

    size: int
    at: str


@frozen
class LogStatistics:
    """How many events the log has, by name."""

    events: int
    types: Mapping[str, int]
    head: CoveredBody | None

    @classmethod
    def of(cls, counts: EventCounts) -> LogStatistics:
        """Return counts as answers show them."""
        head = counts.head
        covered = None if head is None else CoveredBody(head.size, wire_time(head.at))
        return cls(counts.events, counts.types, covered)
