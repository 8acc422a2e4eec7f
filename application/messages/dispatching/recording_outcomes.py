"""Record the outcome of a message's dispatch, with all its consequences, in one append."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import attrs
from attrs import frozen

from ....domain import fallback_run as runs
from ....domain import message as messages
from ....domain.channel import ChannelOutcome
from ....domain.conditions import SoleHolder
from ....domain.decider import Decision
from ....domain.fallback_run import FallbackRun, fallback_run_decider
from ....domain.message import Message, message_decider
from ....domain.parked_receipt import parked_receipt_decider
from ....domain.receipt import Receipt
from ...caller import Caller
from ...concurrency.bulk_lane import BulkWork
from ...journal import Journal, change, retry_on_conflict
from ...ports.clock import Clock
from ...ports.event_store import Change, Due, HeldByOthers, Loaded, Reservation, StreamConflict
from ...records import is_id_of
from ...run_changes import UNMOVED, RunChange, decided, moved
from ..tracking.parked_receipts import NONE_WAITED, matched


@frozen(kw_only=True)
class FirstOutcome:
    """The outcome of a message that has probably not changed since it was taken in."""

    message_id: str
    outcome: ChannelOutcome
    due_row: Due
    message: Loaded[Message]
    run: Loaded[FallbackRun] | None


class RecordingOutcomes:
    """Records outcomes on the message and its fallback run, with receipts that came earlier."""

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
        Record an outcome once; `done` is the due row of the dispatch.

        Receipts that wait for the provider's id are recorded too (C-22). If another message has the
        id, the provider used it twice, and it is left out (D-37).
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

        await retry_on_conflict(attempt)

    async def record_many(
        self,
        by: Caller,
        outcomes: Sequence[FirstOutcome],
        work: BulkWork,
        completing: Reservation | None = None,
        answer: bytes | None = None,
    ) -> None:
        """
        Record the first outcomes of messages in one append; if that is refused, each in its own.

        The store refuses the append if one of the messages has changed, or if another record holds
        one of the providers' ids. The last append includes the `answer`.
        """
        if len(outcomes) > 1 and await self._at_once(by, outcomes, work, completing, answer):
            return
        *others, last = outcomes
        for each in others:
            await self.record(by, each.message_id, each.outcome, done=each.due_row)
        await self.record(
            by,
            last.message_id,
            last.outcome,
            done=last.due_row,
            completing=completing,
            answer=answer,
        )

    async def _at_once(
        self,
        by: Caller,
        outcomes: Sequence[FirstOutcome],
        work: BulkWork,
        completing: Reservation | None,
        answer: bytes | None,
    ) -> bool:
        """Record all of them in one append; return False if that is impossible and nothing was written."""
        now = self._clock.now()
        changes: list[Change] = []
        moves: list[RunChange] = []
        for each in outcomes:
            decision = messages.record_dispatch(
                each.message.state,
                messages.RecordDispatch(at=now, message_id=each.message_id, outcome=each.outcome),
            )
            changes.append(change(message_decider, each.message_id, each.message, decision))
            if each.run is not None:
                run_id = each.message.state.run_id
                assert run_id is not None
                dispatched = _Dispatched(now, each.message_id, each.message.state, each.outcome)
                moves.append(_run(run_id, each.run, dispatched))
            await work.pause()
        claims = [each for one in changes for each in one.conditions]
        if len({each.subject for each in claims if isinstance(each, SoleHolder)}) < len(claims):
            # A provider used an id twice in one call (D-37): one append
            # cannot record which message was first.
            return False
        try:
            await self._journal.write(
                by,
                now,
                *changes,
                *(each for move in moves for each in move.changes),
                work=work,
                due=tuple(each for move in moves for each in move.due),
                done=(
                    *(each.due_row for each in outcomes),
                    *(each for move in moves for each in move.done),
                ),
                dropping=tuple(each for move in moves for each in move.dropping),
                completing=completing,
                answer=answer,
            )
        except (HeldByOthers, StreamConflict):
            return False
        return True

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
        dropping: tuple[str, ...] = ()
        if decision.events:
            dropping = waited.dropping
            changes = [change(message_decider, message_id, message, decision), *waited.changes]
            taken_back += waited.done
            run_id = message.state.run_id or message.state.sent_by_run
            if run_id is not None:
                loaded = await self._journal.load(fallback_run_decider, run_id)
                dispatched = _Dispatched(now, message_id, message.state, outcome, waited.receipts)
                run = _run(run_id, loaded, dispatched)
        await self._journal.write(
            by,
            now,
            *changes,
            *run.changes,
            due=run.due,
            done=(*taken_back, *run.done),
            dropping=(*dropping, *run.dropping),
            completing=completing,
            answer=answer,
        )


@frozen
class _Dispatched:
    """The outcome of a message's dispatch, with receipts that came before it."""

    at: datetime
    message_id: str
    message: Message
    outcome: ChannelOutcome
    receipts: tuple[Receipt, ...] = ()


def _run(run_id: str, run: Loaded[FallbackRun], dispatched: _Dispatched) -> RunChange:
    """Return the change of the message's run after the outcome and the receipts."""

    def take_outcome(state: FallbackRun) -> Decision:
        if dispatched.message.sent_by_run is None:
            return runs.primary_outcome(
                state, runs.TakePrimaryOutcome(at=dispatched.at, outcome=dispatched.outcome)
            )
        step = state.number_of(dispatched.message_id)
        return runs.record_step_dispatch(
            state, runs.RecordStepDispatch(at=dispatched.at, step=step, outcome=dispatched.outcome)
        )

    def take_receipt(receipt: Receipt) -> Callable[[FallbackRun], Decision]:
        command = runs.TakeAttemptReceipt(
            at=dispatched.at, message_id=dispatched.message_id, status=receipt.status
        )
        return lambda state: runs.take_receipt(state, command)

    decision = decided(run.state, take_outcome, *map(take_receipt, dispatched.receipts))
    return moved(run_id, run, decision, dispatched.at)
