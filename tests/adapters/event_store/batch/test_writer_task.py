"""A writer that is a task of the event loop: it keeps the order, and is given up when it hangs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from watchword.adapters.event_store.batch.writer_task import WriterTask

Results = Sequence[int | Exception]


async def test_batches_are_written_in_order() -> None:
    """Each batch is answered before the next begins; work that was put before a close is written."""
    told: list[Results] = []

    async def commit(batch: Sequence[int]) -> list[int | Exception]:
        await asyncio.sleep(0)
        return [each + len(told) for each in batch]

    writer = WriterTask(commit)
    writer.start(told.append)
    writer.put([10, 20])
    writer.put([30])
    await writer.close()

    assert [[10, 20], [31]] == told


async def test_a_failure_is_everybodys() -> None:
    """Every item of a batch gets the commit's exception, and the next batch is written."""
    told: list[Results] = []

    async def commit(batch: Sequence[int]) -> list[int | Exception]:
        if 0 in batch:
            raise OSError("the disk is on fire")
        return list(batch)

    writer = WriterTask(commit)
    writer.start(told.append)
    writer.put([0, 1])
    writer.put([2])
    await writer.close()

    assert [OSError, OSError] == [type(each) for each in told[0]]
    assert [2] == list(told[1])


async def test_what_hangs_is_given_up() -> None:
    """A close does not wait for a database that never answers."""
    began = asyncio.Event()

    async def commit(_: Sequence[int]) -> list[int | Exception]:
        began.set()
        await asyncio.Event().wait()
        return []

    writer = WriterTask(commit, last_seconds=0.01)
    writer.start(lambda _: None)
    writer.put([1])
    await began.wait()

    async with asyncio.timeout(5):
        await writer.close()
