"""Deadlines: each call has its seconds, and one timer looks after all of them."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from watchword.application.deadlines import Deadlines


async def call(deadlines: Deadlines, seconds: float) -> str:
    """Make a call that takes so long."""
    try:
        await deadlines.within(asyncio.sleep(seconds))
    except TimeoutError:
        return "late"
    return "in time"


async def test_what_takes_too_long_is_ended() -> None:
    """And what does not goes its way, whether it began before or after."""
    deadlines = Deadlines(0.05)
    ended = await asyncio.gather(
        *(call(deadlines, seconds) for seconds in (0, 5, 0.001, 5, 0)), call(deadlines, 5)
    )

    assert ["in time", "late", "in time", "late", "in time", "late"] == ended


async def test_each_call_has_its_own_time() -> None:
    """One that begins later ends later: it is not ended with those before it."""
    deadlines = Deadlines(0.05)
    loop = asyncio.get_running_loop()
    early = asyncio.create_task(call(deadlines, 5))
    await asyncio.sleep(0.03)
    began = loop.time()
    assert "late" == await call(deadlines, 5)
    assert 0.049 <= loop.time() - began
    assert early.done()


async def test_a_call_that_does_not_stop_holds_no_other_up() -> None:
    """What goes on after its end is left alone, and those behind it end in time."""
    deadlines = Deadlines(0.01)
    go_on = asyncio.Event()

    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await go_on.wait()

    hanging = asyncio.create_task(deadlines.within(stubborn()))
    assert ["late", "late"] == [await call(deadlines, 5), await call(deadlines, 5)]
    go_on.set()
    with pytest.raises(TimeoutError):
        await hanging


async def test_an_answer_that_comes_in_spite_of_the_end_is_one() -> None:
    """Nobody is cancelled by what he has got over."""
    deadlines = Deadlines(0.01)

    async def answers_all_the_same() -> str:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return "answer"

    assert "answer" == await deadlines.within(answers_all_the_same())
    task = asyncio.current_task()
    assert task is not None
    assert 0 == task.cancelling()


async def test_who_is_cancelled_beside_is_cancelled() -> None:
    """Where both happen at once, the one who wanted it gone is heard."""
    deadlines = Deadlines(0.01)

    async def is_cancelled_as_it_ends() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            leaving.cancel()

    leaving = asyncio.create_task(deadlines.within(is_cancelled_as_it_ends()))
    with pytest.raises(asyncio.CancelledError):
        await leaving


async def test_who_is_cancelled_is_not_late() -> None:
    """A caller that goes away is no provider that was too slow."""
    deadlines = Deadlines(5)
    leaving = asyncio.create_task(call(deadlines, 5))
    await asyncio.sleep(0)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving


async def test_a_call_may_be_made_within_another() -> None:
    """By a provider that uses the service itself; each of them has its own time."""
    deadlines = Deadlines(0.05)

    async def calls_another(seconds: float) -> str:
        await asyncio.sleep(0.03)
        return f"another {await call(deadlines, seconds)}"

    assert "another in time" == await deadlines.within(calls_another(0))
    assert "late" == await call(deadlines, 0.06)
    began = asyncio.get_running_loop().time()
    with pytest.raises(TimeoutError):
        await deadlines.within(calls_another(5))
    assert asyncio.get_running_loop().time() - began < 0.07
