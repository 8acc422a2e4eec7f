"""A pruning: what one step of retention takes out of the log, recorded before it does so (C-75)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from ..decider import Decider, Decision, begun
from .events import EventsPruned, PrunedPart, PrunedRange


@frozen(kw_only=True)
class Pruning:
    """A step of retention as it was recorded; it never changes."""

    account_id: str
    what: PrunedPart
    ranges: tuple[PrunedRange, ...]
    digest: str
    created_at: datetime


def prune(pruned: EventsPruned) -> Decision:
    """Record a step of retention. Raises `ValueError` unless its ranges ascend."""
    if not pruned.ranges or not _ascend(pruned.ranges):
        raise ValueError("the ranges of a pruning must ascend, and there must be one")
    return Decision((pruned,))


def redecide_pruning(pruning: Pruning | None, event: EventsPruned) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    return prune(event) if pruning is None else Decision()


def _ascend(ranges: Sequence[PrunedRange]) -> bool:
    before = 0
    for each in ranges:
        if not before < each.first <= each.last:
            return False
        before = each.last
    return True


def begin(event: EventsPruned) -> Pruning:
    """Return the state after the first event."""
    return begun(Pruning, event)


pruning_decider: Decider[Pruning] = Decider("pruning", begin, (EventsPruned,))
