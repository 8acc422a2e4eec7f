"""A pruning: what one step of retention takes out of the log, recorded before it does so (C-75, D-454)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import attrs
from attrs import frozen

from ..decider import Decider, Decision, begun
from .events import EventsPruned, PrunedPart, PrunedRange


@frozen(kw_only=True)
class Pruning:
    """
    A step of retention as it was recorded.

    It first takes the sealed lines of some streams, and later perhaps the streams.
    """

    account_id: str
    what: PrunedPart
    ranges: tuple[PrunedRange, ...]
    digest: str
    ended_before: datetime
    created_at: datetime


def prune(pruned: EventsPruned) -> Decision:
    """Begin to take sealed lines. Raises `ValueError` unless the ranges ascend."""
    _require_ranges(pruned.ranges)
    return Decision((pruned,)) if pruned.what is PrunedPart.SEALED else Decision()


def drop(pruning: Pruning, pruned: EventsPruned) -> Decision:
    """
    Take the streams whose sealed lines are gone, with what was appended to them since.

    Nothing happens if they were taken already. Raises `ValueError` unless the ranges ascend, and have all
    positions of the pruning.
    """
    if pruned.what is not PrunedPart.STREAM or pruning.what is PrunedPart.STREAM:
        return Decision()
    _require_ranges(pruned.ranges)
    if pruned.account_id != pruning.account_id or not _within(pruning.ranges, pruned.ranges):
        raise ValueError("a pruning must drop what it named before, of the same account")
    return Decision((pruned,))


def redecide_pruning(pruning: Pruning | None, event: EventsPruned) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    return prune(event) if pruning is None else drop(pruning, event)


def ranges_of(positions: Sequence[int]) -> tuple[PrunedRange, ...]:
    """Return the ranges of ascending positions."""
    ranges: list[PrunedRange] = []
    for each in positions:
        if ranges and ranges[-1].last == each - 1:
            ranges[-1] = PrunedRange(ranges[-1].first, each)
        else:
            ranges.append(PrunedRange(each, each))
    return tuple(ranges)


def _require_ranges(ranges: Sequence[PrunedRange]) -> None:
    before = 0
    for each in ranges:
        if not before < each.first <= each.last:
            before = -1
            break
        before = each.last
    if before <= 0:
        raise ValueError("the ranges of a pruning must ascend, and there must be one")


def _within(inner: Sequence[PrunedRange], outer: Sequence[PrunedRange]) -> bool:
    wider = iter(outer)
    around = next(wider, None)
    for each in inner:
        while around is not None and around.last < each.last:
            around = next(wider, None)
        if around is None or each.first < around.first:
            return False
    return True


def begin(event: EventsPruned) -> Pruning:
    """Return the state after the first event."""
    return begun(Pruning, event)


def evolve(pruning: Pruning, event: EventsPruned) -> Pruning:
    """Apply the event by which the streams are dropped."""
    return attrs.evolve(
        pruning,
        what=event.what,
        ranges=event.ranges,
        digest=event.digest,
    )


pruning_decider: Decider[Pruning] = Decider(
    "pruning", begin, (EventsPruned,), evolve, (EventsPruned,)
)
