"""Drop receipts whose message never appeared (C-22: 24 hours)."""

from __future__ import annotations

from ....domain.parked_receipt import DropReceipt, drop, parked_receipt_decider
from ...caller import WORKER, Caller
from ...due_work import handle_due
from ...journal import Journal, change
from ...ports.clock import Clock
from ...ports.event_store import Due, DueKind
from ...ports.randomness import Randomness
from .parked_receipts import due_row


class DroppingReceipts:
    """Drops receipts after 24 hours; the history keeps what is open of them."""

    kind = DueKind.PARKED_RECEIPT

    def __init__(self, journal: Journal, clock: Clock, randomness: Randomness) -> None:
        self._journal = journal
        self._clock = clock
        self._randomness = randomness

    async def run_due(self) -> int:
        """Drop the receipts of due streams, and return the number of streams."""
        return await handle_due(self._journal, self._clock, self.kind, self._drop)

    async def _drop(self, due: Due) -> None:
        now = self._clock.now()
        by = Caller("", WORKER, self._randomness.new_id("req"))
        loaded = await self._journal.load(parked_receipt_decider, due.stream)
        decision = drop(loaded.state, DropReceipt(at=now, parked_id=due.stream))
        changes = (
            (change(parked_receipt_decider, due.stream, loaded, decision),)
            if decision.events
            else ()
        )
        # A receipt that was parked since has moved the due row, which then stays.
        later = () if decision.events else due_row(due.stream, loaded.state)
        await self._journal.write(
            by,
            now,
            *changes,
            due=later,
            done=() if later else (due,),
            dropping=(due.stream,) if decision.events else (),
        )
