"""The worker's loops: each kind of due work has its own, and sleeps until its next due row."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import datetime, timedelta
from typing import Any

from ..adapters.logs import logger
from ..application.concurrency.bounded_tasks import BoundedTasks
from ..application.due_work import DueWork
from ..application.errors import UnavailableError
from ..application.journal import Journal
from ..application.log_follower import LogFollower
from ..application.ports.clock import Clock
from ..application.ports.event_store import LONGEST_SLEEP

# Work that leaves its due rows unchanged must not keep the loop spinning.
SHORTEST_SLEEP = timedelta(milliseconds=50)
AFTER_A_FAILURE = timedelta(seconds=1)
# Only the appends of this process wake a follower: it polls for those of other processes.
LOOK_AT_LOG = timedelta(seconds=1)

_log = logger("watchword.worker")


async def run_worker(journal: Journal, clock: Clock, work: Sequence[DueWork]) -> None:
    """Do due work until cancelled; a kind that fails or hangs does not stop the others."""
    async with asyncio.TaskGroup() as group:
        for each in work:
            if isinstance(each, LogFollower):
                group.create_task(_follow(each))
            else:
                group.create_task(_DueLoop(journal, clock, each).run())


async def run_due(work: Sequence[DueWork], known: int | None = None) -> int:
    """
    Do all work that is due now; return how many due rows were done, and how many events were followed.

    Events count only for a follower that is behind the position `known`: whoever repeats this until
    nothing is left must not wait for those that others go on to write.
    """
    done = 0
    for each in work:
        if isinstance(each, LogFollower):
            behind = known is None or await each.position() < known
            followed = await each.catch_up()
            done += followed if behind else 0
            continue
        while now_done := await each.run_due():
            done += now_done
    return done


async def run_due_to_the_end(
    work: Sequence[DueWork], tasks: Sequence[BoundedTasks], known: int | None = None
) -> int:
    """
    Do due work, wait for the calls that it began, and repeat until nothing is due; `known` as above.

    Returns how much was done, without the events that were followed: the log has them at any time. A
    failure of one kind does not stop the others, and is raised at the end. Raises `UnavailableError` at
    once if the store is out of reach.
    """
    done, followed, going, failures = 0, 0, list(work), []
    while going:
        before = done + followed
        for each in tuple(going):
            try:
                now_done = await run_due([each], known)
                if isinstance(each, LogFollower):
                    followed += now_done
                else:
                    done += now_done
            except UnavailableError:
                raise
            except Exception as error:
                # It would fail again immediately.
                going.remove(each)
                failures.append(error)
        for begun in tasks:
            await begun.finish()
        if done + followed == before:
            break
    if failures:
        raise failures[0]
    return done


async def _follow(follower: LogFollower[Any]) -> None:
    """Follow the log: at once after an append of this process, within a second after one of another."""
    while True:
        # Before the work, so that an append while it runs wakes the follower again.
        follower.wakeup.clear()
        rest = max(SHORTEST_SLEEP, follower.pace)
        try:
            while await follower.run_due():  # noqa: ASYNC110  it waits for requests, not for an event
                await asyncio.sleep(follower.pause.total_seconds())
        except UnavailableError:
            _log.warning("due_work_waits")
            rest = AFTER_A_FAILURE
        except Exception as error:
            _log.error("due_work_failed", exc_info=error)
            rest = AFTER_A_FAILURE
        # Events in quick succession share a batch.
        await asyncio.sleep(rest.total_seconds())
        await follower.wakeup.wait(LOOK_AT_LOG.total_seconds())


class _DueLoop:
    """
    One kind of work, and the time at which to look at it again.

    A new due row can only bring that time forward, so an early wake-up costs no query.
    """

    def __init__(self, journal: Journal, clock: Clock, work: DueWork) -> None:
        self._journal = journal
        self._clock = clock
        self._work = work
        self._look_at = self._now()
        self._sooner = asyncio.Event()

    async def run(self) -> None:
        """Do due work and sleep, until cancelled."""
        with self._watching():
            while True:
                # Set before the work, so that rows written while it runs bring the time forward.
                self._look_at = self._now() + LONGEST_SLEEP
                await self._do()
                await self._sleep()

    async def _do(self) -> None:
        rest = SHORTEST_SLEEP
        try:
            try:
                await run_due([self._work])
            except UnavailableError:
                raise
            except Exception as error:
                # Failed work is postponed; more due work may follow it.
                _log.error("due_work_failed", exc_info=error)
                rest = AFTER_A_FAILURE
            if self._work.kind is not None:
                next_due = await self._journal.next_due(self._work.kind)
                if next_due is not None:
                    self._look_at = min(self._look_at, max(next_due, self._now() + rest))
        except UnavailableError:
            _log.warning("due_work_waits")

    async def _sleep(self) -> None:
        with suppress(TimeoutError):
            # By a monotonic clock: a clock that is set back must not prolong a sleep.
            async with asyncio.timeout(LONGEST_SLEEP.total_seconds()):
                while (left := (self._look_at - self._now()).total_seconds()) > 0:
                    self._sooner.clear()
                    async with asyncio.timeout(left):
                        await self._sooner.wait()

    def _watching(self) -> AbstractContextManager[None]:
        if self._work.kind is None:
            return nullcontext()
        return self._journal.watching_due(self._work.kind, self._due_added)

    def _due_added(self, at: datetime) -> None:
        # A sandbox's clock may have moved past the time of the next wake-up.
        if at < self._look_at or self._look_at <= self._now():
            self._look_at = min(at, self._look_at)
            self._sooner.set()

    def _now(self) -> datetime:
        return self._clock.real() if self._work.kind is None else self._work.kind.now(self._clock)
