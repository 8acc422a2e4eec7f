"""Group commit: one writer serves many tasks, and answers each after its commit and in time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from time import perf_counter

import pytest

from tests.fakes.loops import SkippingLoop
from watchword.adapters.event_store.batch.group_commit import AHEAD, MAX_BATCH, GroupCommit
from watchword.adapters.event_store.batch.writer_task import WriterTask
from watchword.adapters.event_store.batch.writer_thread import WriterThread
from watchword.application.ports.event_store import StoreUnavailable

ON_FIRE = 10**9


class Refused(Exception):
    """The disk's answer to a negative number."""


class Disk:
    """Writes numbers and returns their squares; a negative one is refused, `ON_FIRE` breaks it."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.kept: list[tuple[int, int]] = []
        self.busy = threading.Event()
        self.free = threading.Event()
        self.free.set()

    def commit(self, batch: Sequence[int]) -> list[int | Exception]:
        """Write a batch as soon as the disk is free."""
        self.batches.append(list(batch))
        self.busy.set()
        self.free.wait(10)
        if ON_FIRE in batch:
            raise OSError("the disk is on fire")
        return [each * each if each >= 0 else Refused(each) for each in batch]

    def committed(self, work: int, result: int) -> None:
        """Record the durable items."""
        self.kept.append((work, result))


@pytest.fixture
def disk() -> Disk:
    """Return a disk that is free."""
    return Disk()


@pytest.fixture
async def commits(disk: Disk) -> AsyncIterator[GroupCommit[int, int]]:
    """Yield a writer with room for many."""
    writer = GroupCommit[int, int](WriterThread(disk.commit), disk.committed)
    yield writer
    disk.free.set()
    await writer.close()


async def hold_up(
    disk: Disk, commits: GroupCommit[int, int], *works: int
) -> list[asyncio.Future[int]]:
    """Let the first work begin and stay, and the others wait behind it."""
    disk.free.clear()
    disk.busy.clear()
    told = [commits.submit(works[0])]
    await asyncio.to_thread(disk.busy.wait, 10)
    told += [commits.submit(work) for work in works[1:]]
    assert len(works) == commits.waiting
    return told


async def test_everybody_gets_their_own_result(disk: Disk, commits: GroupCommit[int, int]) -> None:
    """Each task gets the result of its own work, whatever shares its batch."""
    results = await asyncio.gather(*(commits.submit(number) for number in range(1000)))

    assert [number * number for number in range(1000)] == results
    assert list(range(1000)) == [each for batch in disk.batches for each in batch]
    assert 0 == commits.waiting


async def test_what_waits_is_written_together(disk: Disk, commits: GroupCommit[int, int]) -> None:
    """All that arrives in one turn is one batch, up to the largest."""
    tasks = await hold_up(disk, commits, *range(1 + MAX_BATCH + 5))
    disk.free.set()
    await asyncio.gather(*tasks)

    assert [1, MAX_BATCH, 5] == [len(batch) for batch in disk.batches]


async def test_a_batch_forms_while_others_commit(
    disk: Disk, commits: GroupCommit[int, int]
) -> None:
    """While enough batches are under way, later work collects into one batch."""
    tasks = await hold_up(disk, commits, 0)
    for number in range(1, AHEAD + 5):
        tasks.append(commits.submit(number))
        await turns_of_the_loop(2)
    disk.free.set()
    await asyncio.gather(*tasks)

    assert [1] * AHEAD + [5] == [len(batch) for batch in disk.batches]


async def test_late_ones_join_the_batch_that_is_written() -> None:
    """A writer that asks gets the work that arrived meanwhile, and answers it with its batch."""
    batches: list[list[int]] = []
    begun, on = asyncio.Event(), asyncio.Event()

    async def commit(batch: list[int]) -> list[int]:
        begun.set()
        await on.wait()
        assert [] == together.late(3)
        batch += together.late(2)
        batches.append(batch)
        return [each * each for each in batch]

    together = GroupCommit[int, int](WriterTask(commit), lambda *_: None, ahead=1)
    told = [together.submit(1)]
    await begun.wait()
    told += [together.submit(2), together.submit(3)]
    on.set()

    assert [1, 4, 9] == await asyncio.gather(*told)
    assert [[1, 2, 3]] == batches
    await together.close()


async def test_no_batch_grows_too_large() -> None:
    """Late ones join up to the largest batch, and the rest make the next."""
    batches: list[int] = []
    begun = asyncio.Event()

    async def commit(batch: list[int]) -> list[int]:
        begun.set()
        await asyncio.sleep(0)
        batch += together.late(1)
        batches.append(len(batch))
        return batch

    together = GroupCommit[int, int](WriterTask(commit), lambda *_: None, ahead=1)
    told = [together.submit(0)]
    await begun.wait()
    told += [together.submit(number) for number in range(1, MAX_BATCH + 10)]

    assert list(range(MAX_BATCH + 10)) == await asyncio.gather(*told)
    assert [MAX_BATCH, 10] == batches
    await together.close()


async def turns_of_the_loop(count: int) -> None:
    """Let the loop turn."""
    for _ in range(count):
        await asyncio.sleep(0)


async def test_a_refusal_is_told_to_its_owner_alone(
    disk: Disk, commits: GroupCommit[int, int]
) -> None:
    """An exception in one item's place is that item's; its neighbours are written."""
    tasks = await hold_up(disk, commits, 1, 2, -3, 4)
    disk.free.set()
    told = await asyncio.gather(*tasks, return_exceptions=True)

    assert [1, 4, 16] == [told[0], told[1], told[3]]
    assert isinstance(told[2], Refused)
    assert [(1, 1), (2, 4), (4, 16)] == disk.kept


async def test_a_broken_commit_is_told_to_all_of_its_batch(
    disk: Disk, commits: GroupCommit[int, int]
) -> None:
    """Every task of a batch gets the commit's exception, and the next batch succeeds."""
    tasks = await hold_up(disk, commits, 1, 2, ON_FIRE, 4)
    disk.free.set()
    told = await asyncio.gather(*tasks, return_exceptions=True)

    assert [int, OSError, OSError, OSError] == [type(each) for each in told]
    assert 25 == await commits.submit(5)
    assert [(1, 1), (5, 25)] == disk.kept
    assert 0 == commits.waiting


async def test_a_full_queue_takes_no_more(disk: Disk) -> None:
    """A full queue refuses work at once, and accepts work again after its batches were answered."""
    commits = GroupCommit[int, int](WriterThread(disk.commit), disk.committed, capacity=3)
    tasks = await hold_up(disk, commits, 1, 2, 3)

    with pytest.raises(StoreUnavailable):
        await commits.submit(4)

    disk.free.set()
    assert [1, 4, 9] == await asyncio.gather(*tasks)
    assert 16 == await commits.submit(4)
    assert [1, 2, 3, 4] == [each for batch in disk.batches for each in batch]
    await commits.close()


async def test_a_hanging_disk_is_told_after_the_deadline(disk: Disk) -> None:
    """No task waits longer than the deadline; a later result of the disk is still recorded."""
    commits = GroupCommit[int, int](WriterThread(disk.commit), disk.committed, answer_seconds=0.01)
    tasks = await hold_up(disk, commits, 1, 2)
    told = await asyncio.gather(*tasks, return_exceptions=True)
    waiting = commits.waiting
    disk.free.set()
    await commits.close()

    assert [StoreUnavailable, StoreUnavailable] == [type(each) for each in told]
    assert 2 == waiting
    assert [(1, 1), (2, 4)] == disk.kept


def test_each_is_told_after_its_own_deadline() -> None:
    """A task times out at its own deadline, in a written batch or in a forming one."""

    async def failed_after(submitted: asyncio.Future[int]) -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        with pytest.raises(StoreUnavailable, match="in time"):
            await submitted
        return loop.time() - began

    async def story() -> list[float]:
        commits = GroupCommit[int, int](_Hanging(), _nothing, ahead=1, answer_seconds=4)
        gone, waiting = commits.submit(1), [asyncio.create_task(failed_after(commits.submit(2)))]
        await asyncio.sleep(0)
        gone.cancel()
        for pause, number in ((1, 3), (1, 4), (5, 5)):
            await asyncio.sleep(pause)
            waiting.append(asyncio.create_task(failed_after(commits.submit(number))))
        return await asyncio.wait_for(asyncio.gather(*waiting), 60)

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        assert [4, 4, 4, 4] == pytest.approx(runner.run(story()), abs=0.5)


class _Hanging:
    """Takes batches, and never answers any."""

    def start(self, tell: Callable[[Sequence[int | Exception]], None]) -> None:
        """Begin."""

    def put(self, batch: list[int]) -> None:
        """Take a batch."""

    async def close(self) -> None:
        """Stop."""


def _nothing(_: int, __: int) -> None:
    """Do nothing: nothing is ever durable."""


async def test_a_caller_who_goes_away_takes_nothing_along(
    disk: Disk, commits: GroupCommit[int, int]
) -> None:
    """Work that was handed over is written and noted, also when its task was cancelled."""
    tasks = await hold_up(disk, commits, 1, 2, 3)
    tasks[1].cancel()
    disk.free.set()
    told = await asyncio.gather(*tasks, return_exceptions=True)

    assert [1, 9] == [told[0], told[2]]
    assert isinstance(told[1], asyncio.CancelledError)
    assert [(1, 1), (2, 4), (3, 9)] == disk.kept


async def test_it_is_noted_before_anybody_is_told(
    disk: Disk, commits: GroupCommit[int, int]
) -> None:
    """When a task learns that its work is durable, the whole process knows it."""

    async def submit_and_look(work: int) -> bool:
        result = await commits.submit(work)
        return (work, result) in disk.kept

    assert [True] * 50 == await asyncio.gather(*(submit_and_look(each) for each in range(50)))


async def test_nobody_waits_for_ever_where_who_listens_fails(disk: Disk) -> None:
    """If the listener fails, the remaining tasks get an unknown outcome, and the writer goes on."""
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: reported.append(told))

    def committed(work: int, _: int) -> None:
        if work == 2:
            raise LookupError

    commits = GroupCommit[int, int](WriterThread(disk.commit), committed)
    told = [commits.submit(number) for number in (1, 2, 3)]
    _, hanging = await asyncio.wait(told, timeout=1)
    assert not hanging
    assert 1 == told[0].result()
    assert {StoreUnavailable} == {type(each.exception()) for each in told[1:]}
    assert 16 == await commits.submit(4)
    await commits.close()

    assert 1 == len(reported)


async def test_closing_writes_what_waits(disk: Disk, commits: GroupCommit[int, int]) -> None:
    """Work that was accepted before closing is written and answered; later work is refused."""
    tasks = await hold_up(disk, commits, 1, 2, 3)
    closing = asyncio.create_task(commits.close())
    await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable):
        await commits.submit(4)
    disk.free.set()
    await closing

    assert [1, 4, 9] == await asyncio.gather(*tasks)
    assert [[1], [2, 3]] == disk.batches


async def test_each_batch_is_measured(disk: Disk) -> None:
    """An observer gets the size of each batch and the time that the writer took."""
    wrote: list[tuple[int, float]] = []
    writer = GroupCommit[int, int](
        WriterThread(disk.commit), disk.committed, [lambda *batch: wrote.append(batch)]
    )
    began = perf_counter()
    await asyncio.gather(*map(writer.submit, range(3)))
    await writer.submit(4)
    took = perf_counter() - began
    await writer.close()

    assert [3, 1] == [items for items, _ in wrote]
    assert 0 < sum(seconds for _, seconds in wrote) <= took
