"""What a step takes out goes in writes that leave the store to the service (D-575)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import pairwise

import pytest

from tests.application.retention.cellars import cellar, pruning, seal
from tests.fakes.loops import SkippingLoop
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.reachable_pruning import ReachablePruning

# Their numbers have two digits.
PINS, WRITE_SECONDS = range(10, 80), 3.0


def test_it_rests_for_four_times_as_long_as_a_write_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 32 streams go in a write; a write that waits long puts the next one off for longer."""
    writes: list[tuple[int, float, float]] = []
    blank = ReachablePruning.blank

    async def slow(log: ReachablePruning, streams: Mapping[str, int]) -> None:
        time = asyncio.get_running_loop().time
        began = time()
        await asyncio.sleep(WRITE_SECONDS)
        await blank(log, streams)
        writes.append((len(streams), began, time()))

    async def pruned() -> None:
        house = await cellar(MemoryEventStore(vault=new_vault()), pins="1d")
        for number in PINS:
            await house.issue(destination=f"+9198123456{number}")
        house.clock.move(9 * 86_400)
        await house.forget()
        await seal(house)
        work = pruning(house)
        while await work.run_due():
            pass

    monkeypatch.setattr(ReachablePruning, "blank", slow)
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(pruned())

    assert [32, 32, 6] == [count for count, _, _ in writes]
    for (_, began, ended), (_, after, _) in pairwise(writes):
        assert 4 * (ended - began) <= after - ended < 5 * (ended - began)
