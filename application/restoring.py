"""End what a store would do a second time after it was restored from a backup (D-64)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from attrs import frozen

from ..domain import callback_endpoint as endpoints
from ..domain import fallback_run as runs
from ..domain import pin as pins
from ..domain.callback_endpoint import callback_endpoint_decider
from ..domain.fallback_run import StepStatus, fallback_run_decider
from ..domain.pin import PinStatus, pin_decider
from .callbacks.live_endpoints import LiveEndpoints
from .caller import ADMIN, Caller
from .due_work import BATCH
from .journal import Journal, change, settled
from .messages.run_changes import moved
from .ports.clock import Clock
from .ports.randomness import Randomness
from .read_models.rows import FallbackRunRow, VerificationRow

# What the step of a run reads that was ended so.
STORE_RESTORED = "store_restored"


@frozen(kw_only=True)
class Restored:
    """
    How many PINs were expired, runs were unfinished, and callback endpoints removed.

    What was ended names the request.
    """

    pins: int
    runs: int
    callbacks: int
    request_id: str


class Restoring:
    """
    Ends codes and fallback runs whose fate after the backup nobody knows.

    A restored store has forgotten which codes were used and which guesses were spent since. It is
    to be done before anybody can verify one, and may be done again.
    """

    def __init__(self, journal: Journal, randomness: Randomness, clock: Clock) -> None:
        self._journal = journal
        self._randomness = randomness
        self._clock = clock

    async def restored(self, *, end_runs: bool, remove_callbacks: bool = False) -> Restored:
        """
        Expire every live code; with `end_runs`, also call off every run that could send a step.

        `remove_callbacks` is for a lost code key: nothing else opens the secrets of their endpoints.

        Raises `StoreUnavailable` or `UnavailableError` when the store is out of reach.
        """
        by = Caller("", ADMIN, self._randomness.new_id("req"))
        live, unfinished = await self._found()
        await _each(live, partial(self._expire, by))
        if end_runs:
            await _each(unfinished, partial(self._call_off, by))
        removed = await LiveEndpoints(self._journal).all() if remove_callbacks else ()
        await _each([each.id for each in removed], partial(self._remove, by))
        return Restored(
            pins=len(live),
            runs=len(unfinished),
            callbacks=len(removed),
            request_id=by.request_id,
        )

    async def _found(self) -> tuple[Sequence[str], Sequence[str]]:
        now = self._clock.now()
        async with self._journal.snapshot() as snapshot:
            # A row that cannot be read is looked at in its stream.
            live = [
                kept.key
                async for kept in snapshot.rows(VerificationRow)
                if kept.row is None
                or (kept.row.status == PinStatus.PENDING and kept.row.expires_at > now)
            ]
            unfinished = [
                kept.key
                async for kept in snapshot.rows(FallbackRunRow)
                if kept.row is None
                or any(step.status == StepStatus.ARMED for step in kept.row.steps)
            ]
        return live, unfinished

    async def _expire(self, by: Caller, pin_id: str) -> None:
        now = self._clock.now()
        loaded = await self._journal.load(pin_decider, pin_id)
        decision = pins.expire(loaded.state, pins.ExpirePin(at=now))
        if decision.events:
            await self._journal.write(by, now, change(pin_decider, pin_id, loaded, decision))

    async def _call_off(self, by: Caller, run_id: str) -> None:
        now = self._clock.now()
        loaded = await self._journal.load(fallback_run_decider, run_id)
        command = runs.CallOff(at=now, error_code=STORE_RESTORED)
        ended = moved(run_id, loaded, runs.call_off(loaded.state, command), now)
        if ended.changes:
            await self._journal.write(
                by, now, *ended.changes, done=ended.done, dropping=ended.dropping
            )

    async def _remove(self, by: Caller, endpoint_id: str) -> None:
        now = self._clock.now()
        loaded = await self._journal.load(callback_endpoint_decider, endpoint_id)
        decision = endpoints.remove(loaded.state, now)
        if decision.events:
            removed = change(callback_endpoint_decider, endpoint_id, loaded, decision)
            await self._journal.write(by, now, removed, dropping=(endpoint_id,))


async def _each(streams: Sequence[str], end: Callable[[str], Awaitable[None]]) -> None:
    """End them side by side, so that their appends share commits."""
    for first in range(0, len(streams), BATCH):
        some = streams[first : first + BATCH]
        await asyncio.gather(*(settled(partial(end, each)) for each in some))
