"""Record the decisions on a due step of a fallback run (C-20)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from attrs import frozen

from ....domain import fallback_run as runs
from ....domain import message as messages
from ....domain.conditions import Unchanged
from ....domain.consent import RECIPIENT_OPTED_OUT
from ....domain.decider import Decision
from ....domain.fallback_run import (
    FallbackFired,
    FallbackRun,
    RevokeOutcome,
    fallback_run_decider,
)
from ....domain.message import Message, message_decider
from ...caller import Caller
from ...journal import Journal, beginning, change
from ...ports.event_store import Change, Due, Loaded
from ...ports.randomness import Randomness
from ...records.message import MESSAGE
from ...run_changes import decided, due_row, moved
from ..taking_in.composing_messages import OutgoingMessage
from .preparing_steps import PreparedStep, StepRefusedError
from .sending_steps import SendingSteps


@frozen
class StepDecision:
    """A due step: its due row, its run as it was loaded, and the time of the decision."""

    by: Caller
    due: Due
    run: Loaded[FallbackRun]
    at: datetime

    def tick(self, run: FallbackRun) -> Decision:
        """Trigger the step if its deadline has passed."""
        return runs.tick(run, runs.Tick(at=self.at))

    @property
    def state(self) -> FallbackRun:
        """The state of the run after its deadline."""
        return fallback_run_decider.fold(self.tick(self.run.state).events, self.run.state)

    @property
    def unmoved(self) -> Unchanged:
        """The condition that the run has not changed."""
        return Unchanged(self.due.stream, self.run.version)


class RecordingSteps:
    """Records the race, the end of the attempt before a step, and the step; each in one append."""

    def __init__(self, journal: Journal, sending: SendingSteps, randomness: Randomness) -> None:
        self._journal = journal
        self._sending = sending
        self._randomness = randomness

    async def put_off(self, pending: StepDecision) -> None:
        """Remove a due row that is not needed, or move it to the right time."""
        wanted = due_row(pending.due.stream, pending.run.state, pending.at)
        moved_to = (wanted,) if wanted is not None and wanted == pending.due else ()
        await self._journal.write(
            pending.by,
            pending.at,
            # An append that changes the run now also writes its due row.
            conditions=(pending.unmoved,),
            due=moved_to,
            done=() if moved_to else (pending.due,),
        )

    async def decide_the_race(self, pending: StepDecision, again: datetime) -> None:
        """Record that the step was triggered; it is due `again` later, in case this process dies."""
        ticked = pending.tick(pending.run.state)
        stream, number = pending.due.stream, pending.due.number
        changes = (
            (change(fallback_run_decider, stream, pending.run, ticked),) if ticked.events else ()
        )
        await self._journal.write(
            pending.by,
            pending.at,
            *changes,
            conditions=() if changes else (pending.unmoved,),
            due=(Due(pending.due.kind, stream, number, again),),
        )

    async def reject(
        self,
        pending: StepDecision,
        refused: StepRefusedError,
        ended: tuple[Loaded[Message], RevokeOutcome] | None = None,
    ) -> None:
        """Record that a step is not sent; `ended` is the attempt before it, if it was ended."""
        endings: list[Callable[[FallbackRun], Decision]] = []
        changes: tuple[Change, ...] = ()
        if ended is not None:
            endings = [_ending(pending, ended[1])]
            changes = _ended(pending, *ended)
        rejecting = runs.RejectStep(
            at=pending.at,
            step=pending.due.number,
            error_code=refused.code,
            passing_over=refused.code == RECIPIENT_OPTED_OUT,
        )
        decision = decided(
            pending.run.state, pending.tick, *endings, partial(runs.reject_step, command=rejecting)
        )
        if not decision.events:
            return
        rejected = moved(pending.due.stream, pending.run, decision, pending.at)
        await self._journal.write(
            pending.by,
            pending.at,
            *rejected.changes,
            *changes,
            conditions=refused.conditions,
            due=rejected.due,
            done=(pending.due,),
            dropping=rejected.dropping,
        )
        if refused.guarded is not None:
            refused.guarded.count()

    async def fire(
        self,
        pending: StepDecision,
        step: PreparedStep,
        before: Loaded[Message],
        outcome: RevokeOutcome,
    ) -> OutgoingMessage | None:
        """
        Fire the step and end the attempt before it; return the message to send now.

        Return None if that attempt arrived after all, or if another node was faster.
        """
        number, message_id = pending.due.number, self._randomness.new_id(MESSAGE.prefix)
        firing = runs.FireStep(at=pending.at, step=number, message_id=message_id)
        decision = decided(
            pending.run.state,
            pending.tick,
            _ending(pending, outcome),
            partial(runs.fire, command=firing),
        )
        if not decision.events:
            return None
        fires = any(isinstance(event, FallbackFired) for event in decision.events)
        after = moved(pending.due.stream, pending.run, decision, pending.at)
        outgoing = self._sending.outgoing(message_id, pending.run.state, number, step)
        await self._journal.write(
            pending.by,
            pending.at,
            *after.changes,
            *_ended(pending, before, outcome),
            *((_submitted(pending, outgoing),) if fires else ()),
            conditions=step.conditions if fires else (),
            due=(*after.due, outgoing.due_row) if fires else after.due,
            done=(pending.due,),
            dropping=after.dropping,
        )
        if not fires:
            return None
        step.guarded.count()
        return outgoing


def _ending(pending: StepDecision, outcome: RevokeOutcome) -> Callable[[FallbackRun], Decision]:
    """Return the decision of the run on the end of the attempt before the step."""
    ended = runs.TakeEnding(at=pending.at, step=pending.due.number, outcome=outcome)
    return partial(runs.ended, command=ended)


def _ended(
    pending: StepDecision, before: Loaded[Message], outcome: RevokeOutcome
) -> tuple[Change, ...]:
    """End the attempt before a step, if it is still on its way."""
    if outcome is RevokeOutcome.DELIVERED:
        return ()
    revoked = outcome is RevokeOutcome.REVOKED
    decision = messages.end(before.state, messages.EndMessage(at=pending.at, revoked=revoked))
    if not decision.events:
        return ()
    return (change(message_decider, pending.run.state.live_message_id, before, decision),)


def _submitted(pending: StepDecision, outgoing: OutgoingMessage) -> Change:
    run = pending.run.state
    planned = run.steps[pending.due.number - 1].planned
    hidden, shared = outgoing.carries_code, planned.content_id is not None
    submit = messages.SubmitMessage(
        at=pending.at,
        account_id=run.account_id,
        person_id=planned.person_id,
        channel=outgoing.channel,
        channel_account_id=outgoing.channel_account_id,
        sender=outgoing.sender,
        recipient=outgoing.recipient,
        content=None if shared else outgoing.content,
        content_id=None if hidden else planned.content_id,
        link_codes=() if hidden else planned.link_codes,
        carries_code=hidden,
        cust_refs=planned.cust_refs,
        sent_by_run=pending.due.stream,
    )
    return beginning(message_decider, outgoing.message_id, messages.submit(submit))
