"""Errands: work that nobody waits for, bounded in number, and finished before a service ends."""

from __future__ import annotations

import asyncio
import inspect

import pytest

from tests.fakes.loops import SkippingLoop
from watchword.application.errands import Errands


async def fail() -> None:
    """Run into a bug."""
    raise LookupError("a bug of ours")


async def nothing() -> None:
    """End at once."""


async def test_no_more_run_at_once_than_there_are_places() -> None:
    """Who comes later begins when one has ended; all get done."""
    errands = Errands(3)
    under_way = most = done = 0

    async def work() -> None:
        nonlocal under_way, most, done
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        done += 1

    await asyncio.gather(*(errands.begin(work()) for _ in range(10)))
    await errands.finish()

    assert (3, 10) == (most, done)


async def test_begin_waits_for_a_place_and_not_for_the_end() -> None:
    """So a worker goes on while its errands run, and rests while there are too many."""
    errands, may_end = Errands(1), asyncio.Event()

    async def work() -> None:
        await may_end.wait()

    await errands.begin(work())
    second = asyncio.create_task(errands.begin(work()))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not second.done()

    may_end.set()
    await second
    await errands.finish()


async def test_work_that_found_no_place_is_dropped() -> None:
    """Who gives up waiting leaves no coroutine behind that nobody ever runs."""
    errands, may_end, late = Errands(1), asyncio.Event(), nothing()

    async def work() -> None:
        await may_end.wait()

    await errands.begin(work())
    waiting = asyncio.create_task(errands.begin(late))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    may_end.set()
    await errands.finish()

    assert inspect.CORO_CLOSED == inspect.getcoroutinestate(late)


async def test_a_failure_is_raised_once() -> None:
    """Where somebody asks, who then tells of it; the place is free again."""
    errands = Errands(1)
    await errands.begin(fail())
    await errands.begin(nothing())
    await errands.finish()
    with pytest.raises(LookupError):
        errands.raise_failure()

    errands.raise_failure()


async def test_finish_waits_for_what_errands_begin() -> None:
    """A step that is rejected begins the next one: both are waited for."""
    errands, done = Errands(2), list[str]()

    async def second() -> None:
        for _ in range(10):
            await asyncio.sleep(0)
        done.append("second")

    async def first() -> None:
        await asyncio.sleep(0)
        await errands.begin(second())
        done.append("first")

    await errands.begin(first())
    await errands.finish()

    assert ["first", "second"] == done


def test_close_cancels_what_does_not_end_in_time(caplog: pytest.LogCaptureFixture) -> None:
    """What ends in time is not touched; the rest may tidy up, and is no failure to tell of."""

    async def story() -> None:
        errands, done, loop = Errands(2), list[str](), asyncio.get_running_loop()

        async def work(name: str, seconds: float) -> None:
            try:
                await asyncio.sleep(seconds)
                done.append(f"{name} ended")
            except asyncio.CancelledError:
                await asyncio.sleep(1)
                done.append(f"{name} tidied up")
                raise

        await errands.begin(work("the quick one", 29))
        await errands.begin(work("the slow one", 3600))
        began = loop.time()
        await errands.close(within=30)

        assert ["the quick one ended", "the slow one tidied up"] == done
        assert 31 == pytest.approx(loop.time() - began, abs=1)
        errands.raise_failure()

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(story())
    assert [] == caplog.messages


async def test_close_without_errands_is_over_at_once() -> None:
    """As for a service that never had a fallback."""
    await Errands(1).close(within=0)
