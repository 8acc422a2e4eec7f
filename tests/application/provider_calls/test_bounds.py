"""Bounds: so many sends of a channel account at once, so many in a second, and a queue with an end (C-69)."""

from __future__ import annotations

import asyncio

from tests.application.provider_calls.lines import TIMEOUT, Lines, lines, skipping, unveiled
from tests.fakes.providers import Answer
from watchword.application.ports.channels import Fault, Message, Rejected
from watchword.application.provider_calls.bounds import (
    CONCURRENCY,
    LONGEST_PAUSE,
    MOST_WAITING,
    Bounds,
    Pace,
)
from watchword.domain.accounts.channel_account import ChannelLimits
from watchword.domain.channel import ChannelOutcome

HANGS = 10 * CONCURRENCY


def seconds() -> float:
    """Return the time of the loop."""
    return asyncio.get_running_loop().time()


async def timed(asked: Lines, first: str = "a") -> tuple[ChannelOutcome, float]:
    """Send a message, and measure how long it took."""
    began = seconds()
    outcome = await asked.send(first)
    return outcome, seconds() - began


def codes(outcomes: list[ChannelOutcome]) -> dict[str | None, int]:
    """Count outcomes by their error code."""
    counted: dict[str | None, int] = {}
    for each in outcomes:
        counted[each.error_code] = counted.get(each.error_code, 0) + 1
    return counted


def test_so_many_sends_are_under_way_at_once() -> None:
    """The next one begins as soon as one ends."""

    async def story() -> None:
        asked = await lines(limits=ChannelLimits(concurrency=3), scripts={"a": [1.0] * 9})
        most = 0

        async def watched(message: Message) -> Answer:
            nonlocal most
            most = max(most, asked.calls.load.under_way)
            return await asked.answer(message)

        asked.provider.script = watched
        began = seconds()
        outcomes = await asyncio.gather(*[asked.send() for _ in range(9)])

        assert {None: 9} == codes(outcomes)
        assert 3 == most
        assert 3 == round(seconds() - began)
        assert 0 == asked.calls.load.under_way

    skipping(story())


def test_a_queue_has_an_end() -> None:
    """With 512 sends waiting, the next is rejected at once; so is one that waited for half its time."""

    async def story() -> None:
        asked = await lines(limits=ChannelLimits(concurrency=1), scripts={"a": [None]})
        waiting = [asyncio.create_task(asked.send()) for _ in range(1 + MOST_WAITING)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        refused, took = await timed(asked)
        waited_from = seconds()
        outcomes = await asyncio.gather(*waiting)

        assert ("channel_busy", 0) == (refused.error_code, round(took))
        assert {"provider_timeout": 1, "channel_busy": MOST_WAITING} == codes(outcomes)
        assert TIMEOUT == round(seconds() - waited_from)

    skipping(story())


def test_a_busy_account_passes_its_sends_on() -> None:
    """Where another account follows, nothing waits longer than its attempt may."""

    async def story() -> None:
        asked = await lines(
            failover="b", limits=ChannelLimits(concurrency=1), scripts={"a": [None]}
        )
        hanging = asyncio.create_task(asked.send())
        await asyncio.sleep(0)
        outcome, took = await timed(asked)
        await hanging

        assert ("b", "accepted") == asked.told(outcome)[:2]
        assert ("a", "rejected", "channel_busy") == asked.told(outcome)[2][0]
        assert 3 == round(took)

    skipping(story())


def test_a_rate_spreads_sends() -> None:
    """An idle account sends one second's sends at once, and then one after the other."""

    async def story() -> None:
        asked = await lines(limits=ChannelLimits(rate_per_second=10))
        ended = [took for _, took in await asyncio.gather(*[timed(asked) for _ in range(30)])]

        assert [0] * 10 == [round(each, 1) for each in ended[:10]]
        assert [round((n + 1) / 10, 1) for n in range(20)] == [
            round(each, 1) for each in ended[10:]
        ]

    skipping(story())


def test_a_send_that_its_rate_would_hold_too_long_is_busy_at_once() -> None:
    """It would leave the provider less than half of the time."""

    async def story() -> None:
        asked = await lines(limits=ChannelLimits(rate_per_second=1))
        outcomes = await asyncio.gather(*[timed(asked) for _ in range(10)])
        refused = [round(took) for outcome, took in outcomes if not outcome.accepted]

        assert [0] * 4 == refused
        assert 6 == sum(outcome.accepted for outcome, _ in outcomes)

    skipping(story())


def test_a_busy_provider_is_left_alone_for_as_long_as_it_asks() -> None:
    """Sends wait for the end of the pause, if it comes in time, and are busy otherwise."""

    async def story() -> None:
        slow_down = Rejected("vendor_429", "Slow down.", Fault.BUSY, retry_after=3)
        asked = await lines(scripts={"a": [slow_down]})
        await asked.send()
        outcome, took = await timed(asked)

        assert outcome.accepted
        assert 3 == round(took)

        asked.scripts["a"] = [Rejected("vendor_429", "Slow down.", Fault.BUSY, retry_after=600)]
        await asked.send()
        refused, took = await timed(asked)
        await asyncio.sleep(LONGEST_PAUSE)

        assert ("channel_busy", 0) == (refused.error_code, round(took))
        assert (await asked.send()).accepted

    skipping(story())


def test_a_send_that_gave_up_takes_no_place_with_it() -> None:
    """Its caller went away while it waited, or in the moment in which it got its place."""

    async def story() -> None:
        bounds = Bounds(concurrency=1)
        assert bounds.enter_now()
        gone, patient = (asyncio.create_task(bounds.enter(5, seconds)) for _ in range(2))
        await asyncio.sleep(0)
        bounds.leave()
        gone.cancel()
        await asyncio.wait([gone])

        assert await patient
        bounds.leave()
        assert (0, 0) == (bounds.in_flight, bounds.waiting)

    skipping(story())


def test_a_token_of_a_send_that_gave_up_is_the_next_ones() -> None:
    """The bucket counts sends that began."""
    pace = Pace(1)
    pace.take(100)
    pace.take(100)
    waits = pace.delay(100)
    pace.give_back()

    assert (2, 1) == (waits, pace.delay(100))


def test_a_provider_that_hangs_slows_no_other() -> None:
    """
    500 sends go through another account while ten times its places hang in front of one.

    Time is skipped only where all wait for it: every other send ends before any second passes.
    """

    async def story() -> None:
        asked = await lines(scripts={"a": [None] * HANGS})
        hanging = [asyncio.create_task(asked.send()) for _ in range(HANGS)]
        await asyncio.sleep(0)
        began = seconds()
        others = [await timed(asked, "b") for _ in range(500)]
        took = seconds() - began
        for each in hanging:
            each.cancel()
        await asyncio.wait(hanging)

        assert all(outcome.accepted for outcome, _ in others)
        assert took < 1
        assert CONCURRENCY == asked.asked.count("a")
        assert (0, 0) == (asked.calls.load.under_way, asked.calls.load.waiting)

    skipping(story())


def test_the_breaker_ends_the_wait_for_a_provider_that_hangs() -> None:
    """After five time-outs, what waits is passed on, and nothing more hangs there."""

    async def story() -> None:
        limits = ChannelLimits(concurrency=5, timeout_seconds=1)
        asked = await lines(failover="b", limits=limits, scripts={"a": [None] * 50})

        async def send(number: int) -> ChannelOutcome:
            await asyncio.sleep(0.6 if number >= 5 else 0)
            return await asked.calls.send(asked.message(), unveiled)

        outcomes = await asyncio.gather(*[send(number) for number in range(20)])

        hung = asked.asked.count("a")
        passed_on = [each.tried[0].code for each in outcomes if each.accepted]

        # A place may be handed on between the first time-out and the fifth, which opens the breaker.
        assert 5 <= hung < 10
        assert ["channel_away"] * (20 - hung) == passed_on

    skipping(story())


def test_a_test_keeps_to_the_bounds() -> None:
    """It waits as any send does."""

    async def story() -> None:
        asked = await lines(limits=ChannelLimits(concurrency=1), scripts={"a": [2.0]})
        first = asyncio.create_task(asked.send())
        await asyncio.sleep(0)
        began = seconds()
        tested = await asked.calls.send_once(asked.message(), unveiled)
        await first

        assert tested.accepted
        assert 2 == round(seconds() - began)

    skipping(story())
