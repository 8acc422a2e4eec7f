"""How much of what the log has."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.application.evidence.sealed_files import grow, seal
from tests.contracts.event_store.histories import NOON, step
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.evidence import counting_events
from watchword.application.evidence.counting_events import CountingEvents, HeadCount
from watchword.application.journal import Journal, beginning
from watchword.domain.log_history import (
    EventsPruned,
    PrunedPart,
    PrunedRange,
    prune,
    pruning_decider,
)


@pytest.fixture
def store() -> MemoryEventStore:
    """Return an empty store."""
    return MemoryEventStore(vault=new_vault())


async def test_events_are_counted_by_name(
    store: MemoryEventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them at first, in steps, and then those that are new; with the newest head."""
    monkeypatch.setattr(counting_events, "_AT_ONCE", 3)
    counting = CountingEvents(Journal(store))

    assert (0, {}, None) == _told(await counting.count())
    await grow(store, 0, 10)
    await seal(store)
    head = HeadCount(10, NOON + timedelta(seconds=10))
    assert (10, {"ApiKeyCreated": 7, "ApiKeyUsed": 3}, head) == _told(await counting.count())
    await grow(store, 10, 12)
    assert (12, {"ApiKeyCreated": 7, "ApiKeyUsed": 5}, head) == _told(await counting.count())


async def test_what_is_counted_is_not_read_again(store: MemoryEventStore) -> None:
    """An answer costs as much as there is new."""
    counting = CountingEvents(Journal(store))
    await grow(store, 0, 10)
    await counting.count()
    store._log[0] = store._log[0]._replace(topic="Weed/1")

    assert {"ApiKeyCreated": 7, "ApiKeyUsed": 3} == (await counting.count()).types


async def test_dropped_events_leave_the_counts_within_the_hour(store: MemoryEventStore) -> None:
    """After a pruning all is counted anew, once an hour."""
    seconds = 0.0
    counting = CountingEvents(Journal(store), lambda: seconds)
    await grow(store, 0, 10)
    await counting.count()
    pruned = EventsPruned(
        at=NOON,
        account_id="account-garden",
        what=PrunedPart.SEALED,
        ranges=(PrunedRange(1, 1),),
        digest="",
        ended_before=NOON,
    )
    await store.append(step(beginning(pruning_decider, "prn_1", prune(pruned))))
    store._log[0] = store._log[0]._replace(topic="Weed/1")

    seconds = 3_599.0
    await counting.count()
    assert 7 == (await counting.count()).types["ApiKeyCreated"]
    seconds = 3_600.0
    assert 6 == (await counting.count()).types["ApiKeyCreated"]


def _told(counts: counting_events.EventCounts) -> tuple[int, object, object]:
    return counts.events, counts.types, counts.head
