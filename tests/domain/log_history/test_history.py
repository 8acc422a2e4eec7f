"""The history of the log: its keys, the origin of its heads, what was taken out and what was repaired."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from attrs import evolve

from tests.specs import given
from watchword.application.records import record_of
from watchword.domain.decider import Decision
from watchword.domain.log_history import (
    EventsPruned,
    LogKey,
    LogKeyAdded,
    LogKeyRetired,
    PrunedPart,
    PrunedRange,
    ReadModelsRepaired,
    StoreRestored,
    add_key,
    declare_restored,
    prune,
    redecide,
    redecide_pruning,
    repair,
    retire_key,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
OLD = LogKeyAdded(at=NOON, log_key="log+1+old", clock_key="log+2+old")
NEW = LogKeyAdded(at=NOON + timedelta(days=1), log_key="log+3+new", clock_key="log+4+new")
OLD_RETIRED = LogKeyRetired(at=NOON + timedelta(days=2), log_key=OLD.log_key)
RESTORED = StoreRestored(
    at=NOON + timedelta(days=3),
    number=2,
    lost_origin="log/1",
    lost_size=90,
    lost_root="bG9zdA==",
    kept_size=80,
    kept_root="a2VwdA==",
)
PRUNED = EventsPruned(
    at=NOON,
    account_id="acc_tea",
    what=PrunedPart.SEALED,
    ranges=(PrunedRange(3, 3), PrunedRange(5, 9)),
    digest="ZGlnZXN0",
    ended_before=NOON,
)
REPAIRED = ReadModelsRepaired(at=NOON, position=9, replaced={"messages": 1}, removed={})


def test_the_newest_key_stands_first() -> None:
    """Every key that was added signs, and the newest one comes first."""
    live = (LogKey("log+3+new", "log+4+new", NEW.at), LogKey("log+1+old", "log+2+old", OLD.at))
    given(OLD).when(add_key, NEW).then(NEW).leaving(keys=live)


def test_a_key_is_added_once() -> None:
    """A key that signs already is not added again."""
    given(OLD, NEW).when(add_key, evolve(OLD, at=NEW.at)).nothing()


def test_a_retired_key_signs_no_more() -> None:
    """After its retirement a key is gone from the live ones, and retiring it again changes nothing."""
    live = (LogKey("log+3+new", "log+4+new", NEW.at),)
    given(OLD, NEW).when(retire_key, OLD_RETIRED).then(OLD_RETIRED).leaving(keys=live)
    given(OLD, NEW, OLD_RETIRED).when(retire_key, OLD_RETIRED).nothing()


def test_a_retired_key_does_not_come_back() -> None:
    """A node that still has the old key of a rotation does not add it again."""
    given(OLD, NEW, OLD_RETIRED).when(add_key, OLD).nothing()


def test_the_only_key_is_not_retired() -> None:
    """A log without a key could not be signed, so its only key stays."""
    with pytest.raises(ValueError, match="only key"):
        given(OLD).when(retire_key, OLD_RETIRED).decision()


def test_a_restore_begins_the_next_origin() -> None:
    """A restore raises the number of the origin; the keys stay. It may be the first event of a history."""
    given(OLD).when(declare_restored, RESTORED).then(RESTORED).leaving(number=2)
    given(RESTORED).when(add_key, NEW).then(NEW).leaving(number=2)
    assert Decision((RESTORED,)) == declare_restored(None, RESTORED)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_no_origin_is_used_twice(number: int) -> None:
    """The number of an origin that heads may have already is refused, else two trees would have one name."""
    with pytest.raises(ValueError, match="above"):
        given(OLD, RESTORED).when(declare_restored, evolve(RESTORED, number=number)).decision()


@pytest.mark.parametrize(
    "ranges",
    [
        (),
        (PrunedRange(0, 2),),
        (PrunedRange(4, 3),),
        (PrunedRange(3, 5), PrunedRange(5, 6)),
        (PrunedRange(7, 8), PrunedRange(2, 3)),
    ],
)
def test_the_ranges_of_a_pruning_ascend(ranges: tuple[PrunedRange, ...]) -> None:
    """A pruning names at least one range, and no position twice."""
    with pytest.raises(ValueError, match="ascend"):
        prune(evolve(PRUNED, ranges=ranges))


def test_a_repair_of_nothing_is_no_event() -> None:
    """A rebuild that found every row right leaves no event."""
    assert Decision((REPAIRED,)) == repair(REPAIRED)
    assert Decision() == repair(evolve(REPAIRED, replaced={"messages": 0}))


def test_each_pruning_and_repair_is_a_stream_of_its_own() -> None:
    """A pruning and a repair begin a stream and end it, apart from the history of keys (D-430)."""
    for event in (PRUNED, REPAIRED):
        record = record_of(event)
        assert (type(event),) == record.decider.events
        assert Decision((event,)) == record.redecide(None, event)
        assert Decision() == record.redecide(record.decider.begin(event), event)
        assert record.prefix != record_of(OLD).prefix


@pytest.mark.parametrize(
    ("past", "event"), [((OLD,), NEW), ((OLD, NEW), OLD_RETIRED), ((OLD,), RESTORED)]
)
def test_an_audit_makes_the_same_decisions_again(past: tuple[Any, ...], event: Any) -> None:
    """Every event of the history follows again from the state before it, and from no other state (D-157)."""
    given(*past).when(redecide, event).then(event)


def test_an_audit_finds_a_pruning_that_no_decision_makes() -> None:
    """A pruning of no position is none that a decision makes."""
    with pytest.raises(ValueError, match="ascend"):
        redecide_pruning(None, evolve(PRUNED, ranges=()))
