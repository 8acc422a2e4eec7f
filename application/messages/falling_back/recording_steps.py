"""What is written when the turn of a fallback's step has come, or has not (C-20)."""

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
from ..run_changes import decided, moved, reminder
from ..taking_in.composing_messages import OutgoingMessage
from .preparing_steps import PreparedStep, StepRefusedError
from .sending_steps import SendingSteps


@frozen
class Turn:
    """A step that `due` reminds of, the run that it is of, as it was read, and when it is looked at."""

    by: Caller
    due: Due
    run: Loaded[FallbackRun]
    at: datetime

    def tick(self, run: FallbackRun) -> Decision:
        """Decide whether the step's turn has come."""
        return runs.tick(run, runs.Tick(at=self.at))

    @property
    def state(self) -> FallbackRun:
        """The run with what is decided by the time alone."""
        return fallback_run_decider.fold(self.tick(self.run.state).events, self.run.state)

    @property
    def unmoved(self) -> Unchanged:
        """The condition that nobody moves the run meanwhile."""
        return Unchanged(self.due.stream, self.run.version)


class RecordingTurns:
    """Each in one append: the race, the end of the attempt before a step, and the step itself."""

    def __init__(self, journal: Journal, sending: SendingSteps, randomness: Randomness) -> None:
        self._journal = journal
        self._sending = sending
        self._randomness = randomness

    async def put_off(self, turn: Turn) -> None:
        """Take back a reminder that came for nothing, or move it to when it is wanted."""
        wanted = reminder(turn.due.stream, turn.run.state, turn.at)
        moved_to = (wanted,) if wanted is not None and wanted == turn.due else ()
        await self._journal.write(
            turn.by,
            turn.at,
            # Whoever moves the run in this moment knows better when it is due.
            conditions=(turn.unmoved,),
            due=moved_to,
            done=() if moved_to else (turn.due,),
        )

    async def decide_the_race(self, turn: Turn, again: datetime) -> None:
        """Record that the turn has come; it is looked at `again` if its process dies meanwhile."""
        ticked = turn.tick(turn.run.state)
        stream, number = turn.due.stream, turn.due.number
        changes = (change(fallback_run_decider, stream, turn.run, ticked),) if ticked.events else ()
        await self._journal.write(
            turn.by,
            turn.at,
            *changes,
            conditions=() if changes else (turn.unmoved,),
            due=(Due(turn.due.kind, stream, number, again),),
        )

    async def reject(
        self,
        turn: Turn,
        refused: StepRefusedError,
        ended: tuple[Loaded[Message], RevokeOutcome] | None = None,
    ) -> None:
        """Record that a step is not sent; `ended` is the attempt before it, where that was ended."""
        endings: list[Callable[[FallbackRun], Decision]] = []
        changes: tuple[Change, ...] = ()
        if ended is not None:
            endings = [_ending(turn, ended[1])]
            changes = _ended(turn, *ended)
        rejecting = runs.RejectStep(
            at=turn.at,
            step=turn.due.number,
            error_code=refused.code,
            passing_over=refused.code == RECIPIENT_OPTED_OUT,
        )
        decision = decided(
            turn.run.state, turn.tick, *endings, partial(runs.reject_step, command=rejecting)
        )
        if not decision.events:
            return
        rejected = moved(turn.due.stream, turn.run, decision, turn.at)
        await self._journal.write(
            turn.by,
            turn.at,
            *rejected.changes,
            *changes,
            conditions=refused.conditions,
            due=rejected.due,
            done=(turn.due,),
            dropping=rejected.dropping,
        )

    async def fire(
        self, turn: Turn, step: PreparedStep, before: Loaded[Message], outcome: RevokeOutcome
    ) -> OutgoingMessage | None:
        """
        Record the fire with the end of the attempt before it, and give what to send now.

        Nothing, where the attempt arrived after all, or somebody else was faster.
        """
        number, message_id = turn.due.number, self._randomness.new_id("msg")
        firing = runs.FireStep(at=turn.at, step=number, message_id=message_id)
        decision = decided(
            turn.run.state,
            turn.tick,
            _ending(turn, outcome),
            partial(runs.fire, command=firing),
        )
        if not decision.events:
            return None
        fires = any(isinstance(event, FallbackFired) for event in decision.events)
        after = moved(turn.due.stream, turn.run, decision, turn.at)
        outgoing = self._sending.outgoing(message_id, turn.run.state, number, step)
        await self._journal.write(
            turn.by,
            turn.at,
            *after.changes,
            *_ended(turn, before, outcome),
            *((_submitted(turn, outgoing),) if fires else ()),
            conditions=step.conditions if fires else (),
            due=(*after.due, outgoing.watch) if fires else after.due,
            done=(turn.due,),
            dropping=after.dropping,
        )
        return outgoing if fires else None


def _ending(turn: Turn, outcome: RevokeOutcome) -> Callable[[FallbackRun], Decision]:
    """Tell the run how the attempt before the step was ended."""
    ended = runs.TakeEnding(at=turn.at, step=turn.due.number, outcome=outcome)
    return partial(runs.ended, command=ended)


def _ended(turn: Turn, before: Loaded[Message], outcome: RevokeOutcome) -> tuple[Change, ...]:
    """End the attempt before a step, where it is still on its way."""
    if outcome is RevokeOutcome.DELIVERED:
        return ()
    revoked = outcome is RevokeOutcome.REVOKED
    decision = messages.end(before.state, messages.EndMessage(at=turn.at, revoked=revoked))
    if not decision.events:
        return ()
    return (change(message_decider, turn.run.state.live_message_id, before, decision),)


def _submitted(turn: Turn, outgoing: OutgoingMessage) -> Change:
    run = turn.run.state
    planned = run.steps[turn.due.number - 1].planned
    hidden, shared = outgoing.carries_code, planned.content_id is not None
    submit = messages.SubmitMessage(
        at=turn.at,
        account_id=run.account_id,
        channel=outgoing.channel,
        channel_account_id=outgoing.channel_account_id,
        sender=outgoing.sender,
        recipient=outgoing.recipient,
        content=None if shared else outgoing.content,
        content_id=None if hidden else planned.content_id,
        link_codes=() if hidden else planned.link_codes,
        carries_code=hidden,
        cust_refs=planned.cust_refs,
        sent_by_run=turn.due.stream,
    )
    return beginning(message_decider, outgoing.message_id, messages.submit(submit))
