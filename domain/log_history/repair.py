"""A repair: rows of read models that were made again from the log, so that no repair hides tampering."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from attrs import frozen

from ..decider import Decider, Decision, begun
from .events import ReadModelsRepaired


@frozen(kw_only=True)
class Repair:
    """A repair as it was recorded; it never changes."""

    position: int
    replaced: Mapping[str, int]
    removed: Mapping[str, int]
    created_at: datetime


def repair(repaired: ReadModelsRepaired) -> Decision:
    """Record a repair; nothing happened if no row was replaced or removed."""
    touched = any(repaired.replaced.values()) or any(repaired.removed.values())
    return Decision((repaired,)) if touched else Decision()


def redecide_repair(state: Repair | None, event: ReadModelsRepaired) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    return repair(event) if state is None else Decision()


def begin(event: ReadModelsRepaired) -> Repair:
    """Return the state after the first event."""
    return begun(Repair, event)


repair_decider: Decider[Repair] = Decider("repair", begin, (ReadModelsRepaired,))
