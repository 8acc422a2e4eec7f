"""
A follower reads the log in batches and writes the consequences of the events (D-182).

The position of a follower is a checkpoint with its name. One append moves the position and writes the
consequences of a batch. After a crash before that append, the batch is followed again; after a crash
behind it, nothing is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Generic, Protocol, TypeVar

from attrs import frozen

from .caller import THE_WORKER
from .journal import Journal
from .log_wakeup import LogWakeup
from .ports.clock import Clock
from .ports.event_store import Checkpoint, Due, Overtaken, PersonGone
from .records.read_model import Row

BATCH = 128
LEASE = timedelta(seconds=2)


@frozen(kw_only=True)
class Consequences:
    """
    The consequences of a batch of events, written together with the follower's position.

    They are refused, as if another node had followed the batch, unless `checkpoints` hold.
    """

    rows: tuple[Row, ...] = ()
    due: tuple[Due, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()


class Placed(Protocol):
    """An event of the log, in whatever form a follower reads it."""

    @property
    def position(self) -> int:
        """Its place in the log."""
        ...


E = TypeVar("E", bound=Placed)
# Returns the events after a position, in order, at most so many.
Read = Callable[[int, int], Awaitable[Sequence[E]]]
# Return the consequences of a batch, none of them for a person who was erased. It may be called again
# with the same events.
React = Callable[[Sequence[E]], Awaitable[Consequences]]
# Return the position after which events are of interest; None while none are.
Since = Callable[[], Awaitable[int | None]]


async def whole_log() -> int:
    """Return the position before the first event."""
    return 0


class LogFollower(Generic[E]):
    """
    Follows the log under a name, on any number of nodes.

    If two nodes follow the same batch, one of them writes; the position refuses the other. While a
    follower has a backlog, one node holds its lease, so that the others do not read the same batches.
    With `alone`, one node holds the lease without a backlog, too.

    `pause` is the rest after each batch of a backlog, which requests have for themselves; `pace` is the rest
    of one that has caught up, in which events gather.
    """

    kind = None

    def __init__(
        self,
        name: str,
        journal: Journal,
        clock: Clock,
        wakeup: LogWakeup,
        read: Read[E],
        react: React[E],
        *,
        since: Since = whole_log,
        batch: int = BATCH,
        pause: timedelta = timedelta(0),
        pace: timedelta = timedelta(0),
        alone: bool = False,
    ) -> None:
        self.name = name
        self.wakeup = wakeup
        self._journal = journal
        self._clock = clock
        self._read = read
        self._react = react
        self._since = since
        self._batch = batch
        self.pause = pause
        self.pace = pace
        self._alone = alone
        self._lease_name = f"{name}.lease"
        self._held = 0
        # A sandbox's clock runs due work beside the worker, and two turns would share what `react` keeps.
        self._turn = asyncio.Lock()
        # Positions between the last event that this node followed and the newest event of the log.
        self.lag = 0

    async def position(self) -> int:
        """Return the position of the last event that was followed."""
        return await self._journal.position(self.name)

    async def run_due(self) -> int:
        """Follow one batch; return its number of events, 0 while another node holds the lease."""
        async with self._turn:
            return await self._run_due()

    async def catch_up(self) -> int:
        """
        Follow the events that the log has now; return their number.

        Later ones are left: while a service is busy, they have no end.
        """
        followed, newest = 0, await self._journal.newest()
        while await self.position() < newest and (some := await self.run_due()):
            followed += some
        return followed

    async def _run_due(self) -> int:
        since = await self._since()
        self.wakeup.wanted = since is not None
        if since is None:
            return 0
        lease, now = await self._journal.position(self._lease_name), self._clock.now()
        if self._is_held_elsewhere(lease, now):
            return 0
        position = await self.position()
        # Events from before anything was of interest are skipped, not read.
        batch = await self._read(max(position, since), self._batch)
        # A batch that is not full reached the end of the log, so that no query is needed.
        full = len(batch) == self._batch
        if batch:
            await self._follow(batch, position, lease, now, full=full)
        self.lag = await self._journal.newest() - batch[-1].position if full else 0
        return len(batch)

    async def _follow(
        self, batch: Sequence[E], position: int, lease: int, now: datetime, *, full: bool
    ) -> None:
        held = _milliseconds(now + LEASE) if full or self._alone else 0
        checkpoints = [Checkpoint(self.name, position, batch[-1].position)]
        if held != lease:
            checkpoints.append(Checkpoint(self._lease_name, lease, held))
        try:
            await self._write(batch, now, tuple(checkpoints))
        except Overtaken:
            # Another node has followed this batch.
            return
        self._held = held

    async def _write(
        self, batch: Sequence[E], now: datetime, checkpoints: tuple[Checkpoint, ...]
    ) -> None:
        """Write the consequences of a batch; those of a person who is erased meanwhile are made anew."""
        gone: set[str] = set()
        while True:
            consequences = await self._react(batch)
            try:
                await self._journal.write(
                    THE_WORKER,
                    now,
                    checkpoints=(*checkpoints, *consequences.checkpoints),
                    rows=consequences.rows,
                    due=consequences.due,
                )
            except PersonGone as refusal:
                if refusal.person_id in gone:
                    # `react` names an erased person again. The worker says so, and pauses.
                    raise
                gone.add(refusal.person_id)
            else:
                return

    def _is_held_elsewhere(self, lease: int, now: datetime) -> bool:
        """Return whether another node holds the lease; a lease that ends too late has a wrong clock."""
        return lease != self._held and _milliseconds(now) < lease <= _milliseconds(now + LEASE)


def _milliseconds(at: datetime) -> int:
    return int(at.timestamp() * 1000)
