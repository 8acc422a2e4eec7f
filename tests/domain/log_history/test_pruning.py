"""Prunings: what one names, and what may follow from it (C-75, D-454)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from attrs import evolve

from watchword.domain.decider import Decision
from watchword.domain.log_history import (
    EventsPruned,
    PrunedPart,
    PrunedRange,
    drop,
    prune,
    pruning_decider,
    ranges_of,
    redecide_pruning,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
SEALED = EventsPruned(
    at=NOON,
    account_id="acc_tea",
    what=PrunedPart.SEALED,
    ranges=(PrunedRange(3, 3), PrunedRange(5, 9)),
    digest="ZGlnZXN0",
    ended_before=NOON,
)
STREAM = evolve(SEALED, what=PrunedPart.STREAM, digest="b3RoZXI=")
PRUNING = pruning_decider.begin(SEALED)


def test_streams_go_after_their_sealed_lines() -> None:
    """A pruning first takes sealed lines, then the streams, and then nothing any more."""
    dropped = pruning_decider.evolve(PRUNING, STREAM)

    assert Decision((SEALED,)) == prune(SEALED)
    assert Decision() == prune(STREAM)
    assert Decision((STREAM,)) == drop(PRUNING, STREAM)
    assert Decision() == drop(PRUNING, SEALED)
    assert Decision() == drop(dropped, STREAM)
    assert (PrunedPart.STREAM, STREAM.digest) == (dropped.what, dropped.digest)


@pytest.mark.parametrize(
    "ranges",
    [
        (PrunedRange(3, 9),),
        (PrunedRange(1, 4), PrunedRange(5, 12)),
        (PrunedRange(3, 3), PrunedRange(5, 9), PrunedRange(20, 20)),
    ],
)
def test_later_events_of_the_streams_go_too(ranges: tuple[PrunedRange, ...]) -> None:
    """A stream may have gone on since its sealed lines were taken."""
    wider = evolve(STREAM, ranges=ranges)

    assert Decision((wider,)) == drop(PRUNING, wider)
    assert Decision((wider,)) == redecide_pruning(PRUNING, wider)


@pytest.mark.parametrize(
    "ranges", [(PrunedRange(3, 3),), (PrunedRange(5, 9),), (PrunedRange(3, 3), PrunedRange(6, 9))]
)
def test_no_position_is_left_behind(ranges: tuple[PrunedRange, ...]) -> None:
    """What a pruning named goes whole, and is of one account."""
    with pytest.raises(ValueError, match="named before"):
        drop(PRUNING, evolve(STREAM, ranges=ranges))
    with pytest.raises(ValueError, match="named before"):
        drop(PRUNING, evolve(STREAM, account_id="acc_cup"))


def test_positions_are_named_by_ranges() -> None:
    """Neighbours share a range, so that an event is small."""
    assert SEALED.ranges == ranges_of([3, 5, 6, 7, 8, 9])
    assert () == ranges_of([])
