"""Events beside the hashes that were sealed: what was inserted, deleted and moved is told apart."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from tests.application.evidence.made_logs import event
from watchword.application.evidence.comparing_events import LOOKAHEAD, Compared, compare
from watchword.application.evidence.leaves import event_leaf
from watchword.application.ports.sealed_log import RawEvent

COUNT = 20
SEALED = [event(position) for position in range(1, COUNT + LOOKAHEAD + 3)]
HASHES = [event_leaf(each) for each in SEALED]


def stored(events: Sequence[RawEvent]) -> list[RawEvent]:
    """Return events at positions without a gap."""
    return [msgspec.structs.replace(each, position=at) for at, each in enumerate(events, 1)]


def compared(events: Sequence[RawEvent]) -> Compared:
    """Compare events with what was sealed of the first of them."""
    return compare(events, 1, COUNT, HASHES, 0)


def weed(position: int) -> RawEvent:
    """Return an event that was never sealed."""
    return msgspec.structs.replace(event(position), stream="key-weed")


@pytest.mark.parametrize("number", [1, 3, LOOKAHEAD])
@pytest.mark.parametrize("at", [1, 7, COUNT])
def test_inserted_events_are_extra(at: int, number: int) -> None:
    """Those behind them stand later than they were sealed, and are not named."""
    weeds = [weed(each) for each in range(number)]
    found = compared(stored([*SEALED[: at - 1], *weeds, *SEALED[at - 1 :]]))

    assert [*range(at, at + number)] == [each.position for each in found.extra]
    assert (([], []), number) == ((found.changed, found.missing), found.shift)
    assert HASHES[:COUNT] == found.leaves


@pytest.mark.parametrize("number", [1, 3, LOOKAHEAD])
@pytest.mark.parametrize("at", [1, 7])
def test_deleted_events_are_missing_though_all_others_moved_up(at: int, number: int) -> None:
    """Those behind them stand earlier than they were sealed, and are not named."""
    found = compared(stored([*SEALED[: at - 1], *SEALED[at - 1 + number :]]))

    assert [*range(at, at + number)] == found.missing
    assert (([], []), -number) == ((found.changed, found.extra), found.shift)


def test_an_empty_position_is_missing() -> None:
    """Nothing moved up."""
    found = compared([each for each in SEALED if each.position not in (4, 5)])

    assert ([4, 5], 0, COUNT - 2) == (found.missing, found.shift, found.taken)


def test_two_events_that_changed_places_are_changed() -> None:
    """None was inserted, and none is missing."""
    swapped = [*SEALED]
    swapped[4], swapped[5] = swapped[5], swapped[4]
    found = compared(stored(swapped))

    assert [5, 6] == [position for position, _ in found.changed]
    assert ([], [], 0) == (found.missing, found.extra, found.shift)


def test_where_hashes_end_nothing_is_compared() -> None:
    """Those events may be as they were."""
    found = compare([*SEALED[:5], weed(6), *SEALED[6:]], 1, COUNT, HASHES[:5], 0)

    assert ([], COUNT) == (found.changed, found.taken)
