"""
Do what fallback runs wait for: end the silent attempt, and send the next step (C-20).

A run that is due takes one append where its channel cannot take messages back: the race is decided,
the attempt ended and the step fired at once. Where it can, the race is decided in an append of its
own, then the channel is asked, and its answer decides whether the step is still needed.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import timedelta
from functools import partial
from typing import Any

from ....domain.conditions import Unchanged
from ....domain.fallback_run import FallbackRun, RevokeOutcome, Triggered, fallback_run_decider
from ....domain.message import Message, message_decider
from ...caller import WORKER, Caller
from ...due_work import handle_due, put_off
from ...errands import WHEN_CROWDED, Errands
from ...journal import Journal, settled
from ...ports.clock import Clock
from ...ports.event_store import Due, DueKind, Loaded
from ...ports.randomness import Randomness
from ...provider_calls import ProviderCalls
from ..taking_in.composing_messages import OutgoingMessage
from .preparing_steps import PreparingSteps, StepRefusedError
from .recording_turns import RecordingTurns, Turn
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
        self._recording = RecordingTurns(journal, sending, randomness)
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
        by = Caller(run.state.account_id, WORKER, self._randomness.new_id("req"))
        turn = Turn(by, due, run, self._clock.now())
        life = turn.state.life
        if not isinstance(life, Triggered) or life.step != due.number:
            await self._recording.put_off(turn)
            return None
        try:
            step = await self._preparing.prepare(due.stream, turn.state, due.number)
        except StepRefusedError as refused:
            await self._recording.reject(turn, refused)
            return None
        attempt = await self._journal.load(message_decider, turn.state.live_message_id)
        if not life.ended and await self._can_be_revoked(attempt.state):
            again = turn.at + timedelta(seconds=self._calls.timeout) + _REVOKED_BY
            await self._recording.decide_the_race(turn, again)
            return partial(self._revoke, turn, attempt.state)
        fired = await self._recording.fire(turn, step, attempt, RevokeOutcome.NOT_REVOKED)
        return partial(self._sending.send, by, fired) if fired else None

    async def _can_be_revoked(self, attempt: Message) -> bool:
        outcome = attempt.outcome
        if outcome is None or not outcome.accepted or not attempt.on_its_way:
            return False
        return await self._calls.can_revoke(attempt.channel, attempt.channel_account_id)

    async def _revoke(self, turn: Turn, attempt: Message) -> None:
        assert attempt.outcome is not None
        outcome = RevokeOutcome.NOT_REVOKED
        if attempt.outcome.provider_message_id is not None:
            outcome = await self._calls.revoke(
                attempt.channel, attempt.channel_account_id, attempt.outcome.provider_message_id
            )
        fired = await settled(partial(self._fire_after, turn.by, turn.due, outcome))
        if fired is not None:
            await self._sending.send(turn.by, fired)

    async def _fire_after(
        self, by: Caller, due: Due, outcome: RevokeOutcome
    ) -> OutgoingMessage | None:
        """Fire the step by what its channel said of the attempt before, if it is still needed."""
        run = await self._journal.load(fallback_run_decider, due.stream)
        before = await self._journal.load(message_decider, run.state.live_message_id)
        turn = Turn(by, due, run, self._clock.now())
        try:
            step = await self._preparing.prepare(due.stream, run.state, due.number)
        except StepRefusedError as refused:
            # What holds for a step may have changed while its channel was asked.
            await self._recording.reject(turn, refused, (before, outcome))
            return None
        return await self._recording.fire(turn, step, before, outcome)
