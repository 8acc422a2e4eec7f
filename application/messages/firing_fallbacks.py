"""
Do what fallback runs wait for: end the silent attempt, and send the next step (C-20).

A run that is due takes one append where its channel cannot take messages back: the race is decided,
the attempt ended and the step fired at once. Where it can, the race is decided in an append of its
own, then the channel is asked, and its answer decides whether the step is still needed.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from ...domain import fallback_run as runs
from ...domain import message as messages
from ...domain.conditions import Unchanged
from ...domain.consent import RECIPIENT_OPTED_OUT
from ...domain.decider import Decision
from ...domain.fallback_run import (
    FallbackFired,
    FallbackRun,
    RevokeOutcome,
    Triggered,
    fallback_run_decider,
)
from ...domain.message import Message, message_decider
from ..caller import WORKER, Caller
from ..due_work import handle_due, put_off
from ..errands import WHEN_CROWDED, Errands
from ..journal import Journal, beginning, change, settled
from ..ports.clock import Clock
from ..ports.event_store import Change, Due, DueKind, Loaded
from ..ports.randomness import Randomness
from ..provider_calls import ProviderCalls
from .composing_messages import OutgoingMessage
from .preparing_steps import PreparedStep, PreparingSteps, StepRefusedError
from .run_changes import decided, moved, reminder
from .sending_steps import SendingSteps

# A revoke is asked for again when its process died: after the provider's time and two appends.
_REVOKED_BY = timedelta(seconds=10)

Errand = Callable[[], Coroutine[Any, Any, None]]


class FiringFallbacks:
    """Looks at runs whose time has come; sends go on as errands, and hold up no other run."""

    kind = DueKind.FALLBACK

    def __init__(
        self,
        journal: Journal,
        preparing: PreparingSteps,
        calls: ProviderCalls,
        sending: SendingSteps,
        errands: Errands,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._preparing = preparing
        self._calls = calls
        self._sending = sending
        self._errands = errands
        self._randomness = randomness
        self._clock = clock

    async def run_due(self) -> int:
        """Decide what is due by now, and give how much that was."""
        self._errands.raise_failure()
        return await handle_due(self._journal, self._clock, self.kind, self._look_at)

    async def _look_at(self, due: Due) -> None:
        run = await self._journal.load(fallback_run_decider, due.stream)
        owner = run.state.account_id
        if not self._errands.reserve(owner):
            unmoved = Unchanged(due.stream, run.version)
            await put_off(self._journal, self._clock, due, WHEN_CROWDED, unmoved)
            return
        errand = None
        try:
            errand = await self._decide(due, run)
        finally:
            if errand is None:
                self._errands.release(owner)
        if errand is not None:
            self._errands.begin(owner, errand())

    async def _decide(self, due: Due, run: Loaded[FallbackRun]) -> Errand | None:
        """Take a run as far as it goes without a provider, and give what a provider is needed for."""
        now = self._clock.now()
        by = Caller(run.state.account_id, WORKER, self._randomness.new_id("req"))
        tick = partial(runs.tick, command=runs.Tick(at=now))
        state = fallback_run_decider.fold(tick(run.state).events, run.state)
        if not isinstance(state.life, Triggered) or state.life.step != due.number:
            await self._put_off(by, due, run, now)
            return None
        try:
            step = await self._preparing.prepare(due.stream, state, due.number)
        except StepRefusedError as refused:
            await self._reject(by, due, run, refused)
            return None
        attempt = await self._journal.load(message_decider, state.live_message_id)
        if not state.life.ended and await self._can_be_revoked(attempt.state):
            await self._decide_the_race(by, due, run, tick(run.state), now)
            return partial(self._revoke, by, due, attempt.state)
        fired = await self._fire(by, due, step, run, attempt, RevokeOutcome.NOT_REVOKED)
        return partial(self._sending.send, by, fired) if fired else None

    async def _put_off(self, by: Caller, due: Due, run: Loaded[FallbackRun], now: datetime) -> None:
        """Take back a reminder that came for nothing, or move it to when it is wanted."""
        wanted = reminder(due.stream, run.state, now)
        moves = wanted is not None and wanted == due
        await self._journal.write(
            by,
            now,
            # Whoever moves the run in this moment knows better when it is due.
            conditions=(Unchanged(due.stream, run.version),),
            due=(wanted,) if wanted is not None and moves else (),
            done=() if moves else (due,),
        )

    async def _reject(
        self,
        by: Caller,
        due: Due,
        run: Loaded[FallbackRun],
        refused: StepRefusedError,
        ended: tuple[Loaded[Message], RevokeOutcome] | None = None,
    ) -> None:
        """Record that a step is not sent; `ended` is the attempt before it, where that was ended."""
        now = self._clock.now()
        endings: list[Callable[[FallbackRun], Decision]] = []
        changes: tuple[Change, ...] = ()
        if ended is not None:
            before, ending = ended
            ends = runs.TakeEnding(at=now, step=due.number, outcome=ending)
            endings = [partial(runs.ended, command=ends)]
            changes = _ended(run.state.live_message_id, before, ending, now)
        rejecting = runs.RejectStep(
            at=now,
            step=due.number,
            error_code=refused.code,
            passing_over=refused.code == RECIPIENT_OPTED_OUT,
        )
        decision = decided(
            run.state,
            partial(runs.tick, command=runs.Tick(at=now)),
            *endings,
            partial(runs.reject_step, command=rejecting),
        )
        if not decision.events:
            return
        rejected = moved(due.stream, run, decision, now)
        await self._journal.write(
            by,
            now,
            *rejected.changes,
            *changes,
            conditions=refused.conditions,
            due=rejected.due,
            done=(due,),
            dropping=rejected.dropping,
        )

    async def _can_be_revoked(self, attempt: Message) -> bool:
        outcome = attempt.outcome
        if outcome is None or not outcome.accepted or not attempt.status.on_its_way:
            return False
        return await self._calls.can_revoke(attempt.channel, attempt.channel_account_id)

    async def _decide_the_race(
        self, by: Caller, due: Due, run: Loaded[FallbackRun], ticked: Decision, now: datetime
    ) -> None:
        """Record that the step's turn has come, and look again when the revoke was not answered."""
        again = now + timedelta(seconds=self._calls.timeout) + _REVOKED_BY
        changes = (change(fallback_run_decider, due.stream, run, ticked),) if ticked.events else ()
        await self._journal.write(
            by,
            now,
            *changes,
            conditions=() if changes else (Unchanged(due.stream, run.version),),
            due=(Due(due.kind, due.stream, due.number, again),),
        )

    async def _revoke(self, by: Caller, due: Due, attempt: Message) -> None:
        assert attempt.outcome is not None
        outcome = RevokeOutcome.NOT_REVOKED
        if attempt.outcome.provider_message_id is not None:
            outcome = await self._calls.revoke(
                attempt.channel, attempt.channel_account_id, attempt.outcome.provider_message_id
            )

        async def fire() -> OutgoingMessage | None:
            run = await self._journal.load(fallback_run_decider, due.stream)
            before = await self._journal.load(message_decider, run.state.live_message_id)
            try:
                step = await self._preparing.prepare(due.stream, run.state, due.number)
            except StepRefusedError as refused:
                # What holds for a step may have changed while its channel was asked.
                await self._reject(by, due, run, refused, (before, outcome))
                return None
            return await self._fire(by, due, step, run, before, outcome)

        fired = await settled(fire)
        if fired is not None:
            await self._sending.send(by, fired)

    async def _fire(
        self,
        by: Caller,
        due: Due,
        step: PreparedStep,
        run: Loaded[FallbackRun],
        before: Loaded[Message],
        ending: RevokeOutcome,
    ) -> OutgoingMessage | None:
        """
        Record the fire with the end of the attempt before it, and give what to send now.

        Nothing, where the attempt arrived after all, or somebody else was faster.
        """
        now = self._clock.now()
        number = due.number
        message_id = self._randomness.new_id("msg")
        decision = decided(
            run.state,
            partial(runs.tick, command=runs.Tick(at=now)),
            partial(runs.ended, command=runs.TakeEnding(at=now, step=number, outcome=ending)),
            partial(runs.fire, command=runs.FireStep(at=now, step=number, message_id=message_id)),
        )
        if not decision.events:
            return None
        fires = any(isinstance(event, FallbackFired) for event in decision.events)
        after = moved(due.stream, run, decision, now)
        outgoing = self._sending.outgoing(message_id, run.state, number, step)
        await self._journal.write(
            by,
            now,
            *after.changes,
            *_ended(run.state.live_message_id, before, ending, now),
            *([_submitted(outgoing, due.stream, run.state, number, now)] if fires else ()),
            conditions=step.conditions if fires else (),
            due=(*after.due, outgoing.watch) if fires else after.due,
            done=(due,),
            dropping=after.dropping,
        )
        return outgoing if fires else None


def _ended(
    message_id: str, before: Loaded[Message], ending: RevokeOutcome, now: datetime
) -> tuple[Change, ...]:
    """End the attempt before a step, where it is still on its way."""
    if ending is RevokeOutcome.DELIVERED:
        return ()
    revoked = ending is RevokeOutcome.REVOKED
    decision = messages.end(before.state, messages.EndMessage(at=now, revoked=revoked))
    return (change(message_decider, message_id, before, decision),) if decision.events else ()


def _submitted(
    outgoing: OutgoingMessage, run_id: str, run: FallbackRun, number: int, now: datetime
) -> Change:
    submit = messages.SubmitMessage(
        at=now,
        account_id=run.account_id,
        channel=outgoing.channel,
        channel_account_id=outgoing.channel_account_id,
        sender=outgoing.sender,
        recipient=outgoing.recipient,
        content=outgoing.content,
        carries_code=outgoing.carries_code,
        cust_refs=run.steps[number - 1].planned.cust_refs,
        sent_by_run=run_id,
    )
    return beginning(message_decider, outgoing.message_id, messages.submit(submit))
