"""A keyed queue runs one call at a time for each key, in the order of arrival."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from watchword.application.concurrency.keyed_queue import KeyedQueue
from watchword.application.errors import UnavailableError


async def in_line(queue: KeyedQueue, log: list[str], name: str, subject: str = "pin") -> None:
    """Take a turn, and write one's name into the log at its beginning and end."""

    async def come_and_go() -> None:
        log.append(f"{name} comes")
        await asyncio.sleep(0)
        log.append(f"{name} goes")

    await queue.take(subject, come_and_go)


@asynccontextmanager
async def held(queue: KeyedQueue) -> AsyncIterator[None]:
    """Hold the turn for the block."""
    over = asyncio.Event()
    holding = asyncio.create_task(queue.take("pin", over.wait))
    await asyncio.sleep(0)
    yield
    over.set()
    await holding


async def test_calls_for_a_key_run_in_order() -> None:
    """The first call runs first, and alone."""
    queue, log = KeyedQueue(patience=5), list[str]()
    await asyncio.gather(*(in_line(queue, log, name) for name in "abc"))

    assert ["a comes", "a goes", "b comes", "b goes", "c comes", "c goes"] == log


async def test_subjects_do_not_wait_for_each_other() -> None:
    """Each subject has a line of its own."""
    queue, log = KeyedQueue(patience=5), list[str]()
    await asyncio.gather(in_line(queue, log, "a", "pin 1"), in_line(queue, log, "b", "pin 2"))

    assert ["a comes", "b comes", "a goes", "b goes"] == log


async def test_who_waits_too_long_is_told_so() -> None:
    """After its patience it is 503, and the line goes on without it."""
    queue, log = KeyedQueue(patience=0.01), list[str]()

    async def see_the_late_one_off() -> None:
        with pytest.raises(UnavailableError):
            await in_line(queue, log, "late")

    await queue.take("pin", see_the_late_one_off)
    await in_line(queue, log, "next")

    assert ["next comes", "next goes"] == log


async def test_the_wait_and_the_work_share_the_patience() -> None:
    """A call that waited has only the rest of its time: a store may hang for all callers."""
    queue = KeyedQueue(patience=0.05)
    async with held(queue):
        waiting = asyncio.create_task(queue.take("pin", asyncio.Event().wait))
        await asyncio.sleep(0)
    await asyncio.wait([waiting], timeout=5)

    assert waiting.done()
    assert isinstance(waiting.exception(), UnavailableError)
    await in_line(queue, [], "next")


async def test_who_gives_up_does_not_hold_the_others_up() -> None:
    """A cancelled task leaves the line, wherever it stood."""
    queue, log = KeyedQueue(patience=5), list[str]()
    async with held(queue):
        waiting = [asyncio.create_task(in_line(queue, log, name)) for name in "abc"]
        await asyncio.sleep(0)
        waiting[0].cancel()
        waiting[1].cancel()
    await asyncio.wait(waiting)

    assert ["c comes", "c goes"] == log


async def test_a_place_passed_to_a_cancelled_call_is_passed_on() -> None:
    """The turn came and the task was cancelled in the same moment: the next one has it."""
    queue, log = KeyedQueue(patience=5), list[str]()
    over = asyncio.Event()

    async def see_the_next_one_leave() -> None:
        await over.wait()
        # Before it is woken, and after its turn has come.
        asyncio.get_running_loop().call_soon(leaving.cancel)

    holding = asyncio.create_task(queue.take("pin", see_the_next_one_leave))
    await asyncio.sleep(0)
    leaving = asyncio.create_task(in_line(queue, log, "leaving"))
    staying = asyncio.create_task(in_line(queue, log, "staying"))
    await asyncio.sleep(0)
    over.set()
    await asyncio.wait([holding, leaving, staying], timeout=1)

    assert ["staying comes", "staying goes"] == log


async def test_a_failure_passes_the_place_on() -> None:
    """After any failure the next call runs."""
    queue, log = KeyedQueue(patience=5), list[str]()

    async def fail() -> None:
        await asyncio.sleep(0)
        raise LookupError

    failing = asyncio.create_task(queue.take("pin", fail))
    waiting = asyncio.create_task(in_line(queue, log, "b"))
    await asyncio.wait([failing, waiting])

    assert isinstance(failing.exception(), LookupError)
    assert ["b comes", "b goes"] == log
