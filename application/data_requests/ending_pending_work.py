"""End what would still happen to an erased person: codes, fallbacks and deliveries (C-74)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from attrs import evolve

from ...domain import fallback_run as runs
from ...domain import pin as pins
from ...domain.fallback_run import fallback_run_decider
from ...domain.person import PERSON_ERASED
from ...domain.pin import pin_decider
from ..callbacks.deliveries import DeliveryStatus
from ..caller import THE_WORKER, Caller
from ..journal import Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.event_store import Checkpoint, Due, DueKind, Overtaken
from ..ports.listings import Equals
from ..records.callback_delivery import CallbackDeliveryRow
from ..records.fallback_run import FallbackRunRow
from ..records.pin import VerificationRow
from ..records.test_destination import test_destination_of
from ..run_changes import moved
from ..test_destinations.removing import remove_test_destination
from .stored import page_of, pages_of

T = TypeVar("T")


class EndingPendingWork:
    """
    Ends the PINs, the fallback runs, the deliveries and the test destination of an erased person.

    What has ended stays as it is, so the work can begin again at any time. Every page is one batch of
    appends, which share commits.
    """

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def end(self, by: Caller, person_id: str) -> None:
        """End everything of a person; `by` acts for the person's account."""
        journal = self._journal
        test_id = test_destination_of(person_id)
        await remove_test_destination(journal, by, self._clock, test_id, frozenset({person_id}))
        async for some_pins in pages_of(journal, VerificationRow, person_id):
            ids = (each.pin_id for each in some_pins)
            await _each(ids, partial(self._end_pin, by, person_id))
        async for some_runs in pages_of(journal, FallbackRunRow, person_id):
            await _each((each.id for each in some_runs), partial(self._call_off, by, person_id))
        pending = Equals("status", str(DeliveryStatus.PENDING))
        waiting = partial(page_of, journal, CallbackDeliveryRow, person_id, pending)
        # An ended delivery leaves this list, so its first page is read until it is empty.
        while page := await waiting():
            await _each(page, partial(self._end_delivery, person_id))

    async def _end_pin(self, by: Caller, person_id: str, pin_id: str) -> None:
        now = self._clock.now()
        loaded = await self._journal.find(pin_decider, pin_id)
        # `watchword audit check` reports a row without events.
        if loaded is None:
            return
        decision = pins.erase(loaded.state, pins.ErasePin(at=now, pin_id=pin_id))
        if decision.events:
            ended = change(pin_decider, pin_id, loaded, decision)
            await self._journal.write(by, now, ended, erased=frozenset({person_id}))

    async def _call_off(self, by: Caller, person_id: str, run_id: str) -> None:
        now = self._clock.now()
        loaded = await self._journal.find(fallback_run_decider, run_id)
        # `watchword audit check` reports a row without events.
        if loaded is None:
            return
        command = runs.CallOff(at=now, error_code=PERSON_ERASED)
        ended = moved(run_id, loaded, runs.call_off(loaded.state, command), now)
        if ended.changes:
            await self._journal.write(
                by,
                now,
                *ended.changes,
                done=ended.done,
                dropping=ended.dropping,
                erased=frozenset({person_id}),
            )

    async def _end_delivery(self, person_id: str, delivery: CallbackDeliveryRow) -> None:
        now = self._clock.now()
        begun = await self._journal.position(delivery.id)
        ended = evolve(
            delivery,
            status=str(DeliveryStatus.FAILED),
            error=PERSON_ERASED,
            next_attempt_at=None,
            ended_at=now,
        )
        # If an attempt begins meanwhile, the next pass ends the delivery.
        with suppress(Overtaken):
            await self._journal.write(
                THE_WORKER,
                now,
                checkpoints=(Checkpoint(delivery.id, begun, 0),),
                rows=(ended,),
                done=(Due(DueKind.CALLBACK, delivery.id, begun, now),),
                erased=frozenset({person_id}),
            )


async def _each(ended: Iterable[T], end: Callable[[T], Awaitable[None]]) -> None:
    """Run `end` on all of them at once; a lost race is decided again."""
    await asyncio.gather(*(retry_on_conflict(partial(end, each)) for each in ended))
