"""The bulk lane: slices with breaths between them, and turns between accounts (C-94)."""

from __future__ import annotations

import asyncio

import pytest

from tests.fakes.loops import SkippingLoop
from watchword.application.concurrency.bulk_lane import BulkLane, BulkWork

SLICE = 1.0


class Ticking:
    """A time that moves by a whole slice whenever it is asked, as if everything took one."""

    def __init__(self) -> None:
        self._at = 0.0

    def __call__(self) -> float:
        """Return the time."""
        self._at += SLICE
        return self._at


def lane() -> BulkLane:
    """Make a lane in which every piece of work fills a slice, while requests come in."""
    busy = BulkLane(
        slice_seconds=SLICE, breath_seconds=SLICE, lull_seconds=1000 * SLICE, now=Ticking()
    )
    busy.note_request()
    return busy


async def do(work: BulkWork, name: str, pieces: int, log: list[str]) -> None:
    """Do some pieces of work, and note each."""
    for _ in range(pieces):
        log.append(name)
        await work.pause()


async def test_work_within_a_slice_waits_for_nobody() -> None:
    """A small call ends before another call has a slice."""
    log: list[str] = []
    work = BulkLane(slice_seconds=60.0).work("acc_tea")
    other = asyncio.create_task(do(BulkLane().work("acc_pot"), "other", 1, log))
    await do(work, "mine", 3, log)
    await other

    assert ["mine", "mine", "mine", "other"] == log


def test_accounts_take_turns_whatever_the_number_of_their_calls() -> None:
    """Three calls of one do not keep another from every second slice."""
    log: list[str] = []

    async def all_of_it() -> None:
        shared = lane()
        await asyncio.gather(
            *(do(shared.work("acc_tea"), "tea", 4, log) for _ in range(3)),
            do(shared.work("acc_pot"), "pot", 4, log),
        )

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(all_of_it())

    assert ["tea"] * 3 + ["pot"] == log[:4]
    assert ["tea", "pot", "tea", "pot", "tea", "pot"] == log[4:10]


def test_others_have_the_loop_between_two_slices() -> None:
    """While requests come in, a breath follows each slice: here they are equally long."""
    began = beginnings(lane())

    assert pytest.approx(2 * SLICE, abs=SLICE / 4) == began[-1] - began[-2]


def test_without_requests_slices_follow_each_other() -> None:
    """After a lull no pause is needed, and bulk work runs at full speed."""
    quiet = BulkLane(slice_seconds=SLICE, breath_seconds=SLICE, lull_seconds=SLICE, now=Ticking())
    quiet.note_request()
    began = beginnings(quiet)

    assert pytest.approx(SLICE, abs=SLICE / 4) == began[-1] - began[-2]


def beginnings(shared: BulkLane) -> list[float]:
    """Return when each of four slices in a row begins, by the loop's time."""
    began: list[float] = []

    async def slices() -> None:
        loop = asyncio.get_running_loop()
        work = shared.work("acc_tea")
        for _ in range(4):
            began.append(loop.time())
            await work.pause()

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(slices())
    return began


async def test_who_gives_up_waiting_takes_no_slice() -> None:
    """A call that is cancelled leaves the lane to those behind it."""
    shared = BulkLane(slice_seconds=0.0, breath_seconds=0.0)
    gone = asyncio.create_task(shared.wait("acc_tea"))
    await asyncio.sleep(0)
    gone.cancel()

    await shared.wait("acc_tea")
