"""Deadlines: each call has its seconds, and one timer looks after all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context
from typing import TypeVarTuple

import pytest

from tests.fakes.loops import SkippingLoop
from watchword.application.concurrency.deadlines import Deadlines

Ts = TypeVarTuple("Ts")
SECONDS = 30


class CountingLoop(SkippingLoop):
    """Counts the timers that were set."""

    def __init__(self) -> None:
        super().__init__()
        self.timers = 0

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Set a timer."""
        self.timers += 1
        return super().call_at(when, callback, *args, context=context)


def run(story: Callable[[Deadlines], Awaitable[None]]) -> int:
    """Run a story on a loop that skips time; returns the number of timers that it set."""
    loop = CountingLoop()

    async def told() -> None:
        await story(Deadlines(SECONDS))

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(told())
    return loop.timers


async def call(deadlines: Deadlines, seconds: float) -> tuple[str, int]:
    """Make a call that takes so long, and return its result and the seconds until then."""
    began = asyncio.get_running_loop().time()
    try:
        await deadlines.within(asyncio.sleep(seconds))
        ended = "in time"
    except TimeoutError:
        ended = "late"
    return ended, round(asyncio.get_running_loop().time() - began)


def test_what_takes_too_long_is_ended() -> None:
    """A faster call goes on, whether it began before or after."""

    async def story(deadlines: Deadlines) -> None:
        ended = await asyncio.gather(
            *(call(deadlines, seconds) for seconds in (0, 99, 29, 99, 1)), call(deadlines, 99)
        )

        assert [
            ("in time", 0),
            ("late", SECONDS),
            ("in time", 29),
            ("late", SECONDS),
            ("in time", 1),
            ("late", SECONDS),
        ] == ended

    run(story)


def test_each_call_has_its_own_time() -> None:
    """One that begins later ends later: it is not ended with those before it."""

    async def story(deadlines: Deadlines) -> None:
        waiting = []
        for pause in (0, 10, 10, 50):
            await asyncio.sleep(pause)
            waiting.append(asyncio.create_task(call(deadlines, 99)))

        assert [("late", SECONDS)] * 4 == await asyncio.gather(*waiting)

    run(story)


def test_however_many_calls_set_one_timer() -> None:
    """Nearly all calls end long before it."""

    async def story(deadlines: Deadlines) -> None:
        answer = asyncio.Event()
        calls = [asyncio.create_task(deadlines.within(answer.wait())) for _ in range(50)]
        await asyncio.sleep(0)
        answer.set()
        await asyncio.gather(*calls)
        for _ in range(50):
            await deadlines.within(asyncio.sleep(0))

    assert 1 == run(story)


def test_a_call_that_does_not_stop_holds_no_other_up() -> None:
    """A call that goes on after its end is left alone, and the calls behind it end in time."""

    async def story(deadlines: Deadlines) -> None:
        go_on = asyncio.Event()

        async def stubborn() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                await go_on.wait()

        hanging = asyncio.create_task(deadlines.within(stubborn()))
        for _ in range(2):
            assert ("late", SECONDS) == await call(deadlines, 99)
        go_on.set()
        with pytest.raises(TimeoutError):
            await hanging

    run(story)


def test_a_call_may_make_another() -> None:
    """Both have their seconds, and the outer one has them from its own beginning."""

    async def story(deadlines: Deadlines) -> None:
        async def slow_after(within: float, seconds: float) -> tuple[str, int]:
            told = await call(deadlines, within)
            await asyncio.sleep(seconds)
            return told

        assert ("in time", 9) == await deadlines.within(slow_after(9, 20))
        for within, seconds in ((9, 22), (99, 0)):
            began = asyncio.get_running_loop().time()
            with pytest.raises(TimeoutError):
                await deadlines.within(slow_after(within, seconds))

            assert SECONDS == round(asyncio.get_running_loop().time() - began)

    run(story)


def test_an_answer_that_comes_in_spite_of_the_end_is_one() -> None:
    """A call that survives its cancellation returns its answer."""

    async def story(deadlines: Deadlines) -> None:
        async def answers_all_the_same() -> str:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            return "answer"

        assert "answer" == await deadlines.within(answers_all_the_same())
        task = asyncio.current_task()
        assert task is not None
        assert 0 == task.cancelling()

    run(story)


def test_who_is_cancelled_beside_is_cancelled() -> None:
    """If cancellation and deadline coincide, the cancellation counts."""

    async def story(deadlines: Deadlines) -> None:
        async def is_cancelled_as_it_ends() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                leaving.cancel()

        leaving = asyncio.create_task(deadlines.within(is_cancelled_as_it_ends()))
        with pytest.raises(asyncio.CancelledError):
            await leaving

    run(story)


def test_who_is_cancelled_is_not_late() -> None:
    """A caller that goes away is no provider that was too slow."""

    async def story(deadlines: Deadlines) -> None:
        leaving = asyncio.create_task(call(deadlines, 99))
        await asyncio.sleep(0)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving

    run(story)


def test_who_tidies_up_after_being_cancelled_can_be_late() -> None:
    """Calls of its clean-up have their own seconds."""

    async def story(deadlines: Deadlines) -> None:
        async def leave() -> tuple[str, int]:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            return await call(deadlines, 99)

        leaving = asyncio.create_task(leave())
        await asyncio.sleep(0)
        leaving.cancel()

        assert ("late", SECONDS) == await leaving

    run(story)


def test_who_takes_the_end_back_and_ends_all_the_same_is_late() -> None:
    """As with `asyncio.timeout`: no other code cancelled it."""

    async def story(deadlines: Deadlines) -> None:
        async def takes_it_back() -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                task = asyncio.current_task()
                assert task is not None
                task.uncancel()
                raise

        with pytest.raises(TimeoutError):
            await deadlines.within(takes_it_back())

    run(story)
