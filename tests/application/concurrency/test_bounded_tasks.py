"""Tasks in the background: bounded in number, and finished before a service ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.fakes.loops import SkippingLoop
from watchword.application.concurrency.bounded_tasks import BoundedTasks


async def fail() -> None:
    """Run into a bug."""
    raise LookupError("a bug of ours")


async def nothing() -> None:
    """End at once."""


def places(tasks: BoundedTasks, *owners: str) -> list[bool]:
    """Reserve a place for each of these, one after the other."""
    return [tasks.reserve(each) for each in owners]


async def test_an_owner_has_a_share_and_all_have_a_bound() -> None:
    """One that takes all it may leaves places to others, until there are none (D-49)."""
    tasks = BoundedTasks(3, most_of_one=2)

    assert [True, True, False, True, False] == places(tasks, "a", "a", "a", "b", "b")


@pytest.mark.parametrize("owner", ["a", "b"])
async def test_a_place_that_is_released_is_free(owner: str) -> None:
    """For its owner, and for any other."""
    tasks = BoundedTasks(2, most_of_one=2)
    places(tasks, "a", "a")
    tasks.release("a")

    assert [True, False] == places(tasks, owner, owner)


@pytest.mark.parametrize("work", [nothing, fail])
async def test_a_task_holds_its_place_until_it_ends(
    work: Callable[[], Coroutine[Any, Any, None]],
) -> None:
    """In success, failure or cancellation."""
    tasks, may_end = BoundedTasks(1, most_of_one=1), asyncio.Event()

    async def task() -> None:
        await may_end.wait()
        await work()

    places(tasks, "a")
    tasks.begin("a", task())
    await asyncio.sleep(0)
    assert [False] == places(tasks, "a")

    may_end.set()
    await tasks.finish()
    assert [True] == places(tasks, "a")


async def test_a_failure_is_raised_once() -> None:
    """The next call that asks gets it; tasks that succeed meanwhile do not hide it."""
    tasks = BoundedTasks(2, most_of_one=2)
    places(tasks, "a", "b")
    tasks.begin("a", fail())
    tasks.begin("b", nothing())
    await tasks.finish()
    with pytest.raises(LookupError):
        tasks.raise_failure()

    tasks.raise_failure()


async def test_finish_waits_for_what_tasks_begin() -> None:
    """A step that is rejected may begin the next one: both are waited for."""
    tasks, done = BoundedTasks(2, most_of_one=2), list[str]()

    async def second() -> None:
        for _ in range(10):
            await asyncio.sleep(0)
        done.append("second")

    async def first() -> None:
        await asyncio.sleep(0)
        tasks.begin("a", second())
        done.append("first")

    places(tasks, "a", "a")
    tasks.begin("a", first())
    await tasks.finish()

    assert ["first", "second"] == done


def test_close_cancels_what_does_not_end_in_time(caplog: pytest.LogCaptureFixture) -> None:
    """Tasks that end in time are not touched; the others may clean up, and are no failures."""

    async def story() -> None:
        tasks, done, loop = BoundedTasks(2, most_of_one=2), list[str](), asyncio.get_running_loop()

        async def work(name: str, seconds: float) -> None:
            try:
                await asyncio.sleep(seconds)
                done.append(f"{name} ended")
            except asyncio.CancelledError:
                await asyncio.sleep(1)
                done.append(f"{name} tidied up")
                raise

        places(tasks, "a", "a")
        tasks.begin("a", work("the quick one", 29))
        tasks.begin("a", work("the slow one", 3600))
        began = loop.time()
        await tasks.close(within=30)

        assert ["the quick one ended", "the slow one tidied up"] == done
        assert 31 == pytest.approx(loop.time() - began, abs=1)
        tasks.raise_failure()
        assert [True, True] == places(tasks, "a", "a")

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(story())
    assert [] == caplog.messages


async def test_close_without_tasks_is_over_at_once() -> None:
    """A service without a fallback closes at once."""
    await BoundedTasks(1, most_of_one=1).close(within=0)
