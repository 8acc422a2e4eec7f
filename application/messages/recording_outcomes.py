"""Take down how a message's dispatch went, with all that follows from it, in one append."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ...domain import fallback_run as runs
from ...domain import message as messages
from ...domain.channel import ChannelOutcome
from ...domain.decider import Decision
from ...domain.fallback_run import FallbackRun, fallback_run_decider
from ...domain.message import Message, message_decider
from ...domain.parked_receipt import parked_receipt_decider
from ...domain.receipt import Receipt
from ..aggregates import is_id_of
from ..caller import Caller
from ..journal import Journal, change, settled
from ..ports.clock import Clock
from ..ports.event_store import Change, Due, HeldByOthers, Reservation
from .parked_receipts import NONE_WAITED, matched
from .run_changes import UNMOVED, RunChange, decided, moved


class RecordingOutcomes:
    """Records outcomes on the message, its fallback run, and the receipts that were faster."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def record(
        self,
        by: Caller,
        message_id: str,
        outcome: ChannelOutcome,
        *,
        done: Due,
        completing: Reservation | None = None,
        answer: bytes | None = None,
    ) -> None:
        """
        Record an outcome, once; `done` is the watch over the dispatch.

        Where receipts wait for the provider's id, they are taken in (C-22); where another message
        has the id, the provider gave it twice, and it is left out (D-37).
        """
        waiting: str | None = None

        async def attempt() -> None:
            nonlocal waiting, outcome
            try:
                await self._once(by, message_id, outcome, waiting, done, completing, answer)
            except HeldByOthers as held:
                (holder,) = held.holders
                if is_id_of(parked_receipt_decider, holder):
                    waiting = holder
                else:
                    waiting = None
                    outcome = attrs.evolve(outcome, provider_message_id=None)
                raise

        await settled(attempt)

    async def _once(
        self,
        by: Caller,
        message_id: str,
        outcome: ChannelOutcome,
        waiting: str | None,
        done: Due,
        completing: Reservation | None,
        answer: bytes | None,
    ) -> None:
        now = self._clock.now()
        message = await self._journal.load(message_decider, message_id)
        waited = NONE_WAITED
        if waiting is not None:
            waited = await matched(self._journal, waiting, message_id, now)
        decision = messages.record_dispatch(
            message.state,
            messages.RecordDispatch(
                at=now,
                message_id=message_id,
                outcome=outcome,
                parked=waited.receipts,
                retiring=frozenset({waiting} if waiting else ()),
            ),
        )
        changes: list[Change] = []
        taken_back = [done]
        run = UNMOVED
        if decision.events:
            changes = [change(message_decider, message_id, message, decision), *waited.changes]
            taken_back += waited.done
            run = await self._run(message_id, message.state, outcome, waited.receipts)
        await self._journal.write(
            by,
            now,
            *changes,
            *run.changes,
            conditions=decision.conditions,
            due=run.due,
            done=(*taken_back, *run.done),
            dropping=run.dropping,
            completing=completing,
            answer=answer,
        )

    async def _run(
        self,
        message_id: str,
        message: Message,
        outcome: ChannelOutcome,
        receipts: tuple[Receipt, ...],
    ) -> RunChange:
        """Give what the outcome, and then the receipts, mean to the run that the message is of."""
        run_id = message.run_id or message.sent_by_run
        if run_id is None:
            return UNMOVED
        now = self._clock.now()
        run = await self._journal.load(fallback_run_decider, run_id)

        def heard_outcome(state: FallbackRun) -> Decision:
            if message.sent_by_run is None:
                return runs.primary_outcome(state, runs.TakePrimaryOutcome(at=now, outcome=outcome))
            step = state.number_of(message_id)
            return runs.record_step_dispatch(
                state, runs.RecordStepDispatch(at=now, step=step, outcome=outcome)
            )

        def heard_receipt(receipt: Receipt) -> Callable[[FallbackRun], Decision]:
            told = runs.TakeReport(at=now, message_id=message_id, status=receipt.status)
            return lambda state: runs.report(state, told)

        decision = decided(run.state, heard_outcome, *map(heard_receipt, receipts))
        return moved(run_id, run, decision, now)
