"""
Process due fallback runs: end the silent attempt, and send the next step (C-20).

If the attempt's channel cannot revoke messages, one append decides the race, ends the attempt and fires
the step. Otherwise one append decides the race, then the channel is asked to revoke the attempt, and
its answer decides whether the step is still needed.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import timedelta
from functools import partial
from typing import Any

from ....domain.channel import OutcomeStatus
from ....domain.fallback_run import RevokeOutcome, Triggered, fallback_run_decider
from ....domain.message import Message, message_decider
from ....domain.person import PERSON_ERASED
from ...caller import WORKER, Caller
from ...concurrency.bounded_tasks import WHEN_CROWDED, BoundedTasks
from ...due_work import handle_due, put_off
from ...journal import Journal, retry_on_conflict
from ...ports.channels import SentMessage
from ...ports.clock import Clock
from ...ports.event_store import Due, DueKind, PersonGone
from ...ports.randomness import Randomness
from ...provider_calls import ProviderCalls
from ..taking_in.composing_messages import OutgoingMessage
from .preparing_steps import PreparingSteps, StepRefusedError
from .recording_steps import RecordingSteps, StepDecision
from .sending_steps import SendingSteps

# If the process dies during a revoke, another asks again after the provider's time and two appends.
_REVOKED_BY = timedelta(seconds=10)

ProviderTask = Callable[[], Coroutine[Any, Any, None]]


class FiringFallbacks:
    """Decides on due runs; sends are background tasks, so that they do not delay other runs."""

    kind = DueKind.FALLBACK

    def __init__(
        self,
        journal: Journal,
        preparing: PreparingSteps,
        calls: ProviderCalls,
        sending: SendingSteps,
        tasks: BoundedTasks,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._preparing = preparing
        self._calls = calls
        self._sending = sending
        self._recording = RecordingSteps(journal, sending, randomness)
        self._tasks = tasks
        self._randomness = randomness
        self._clock = clock

    async def run_due(self) -> int:
        """Decide on the runs that are due, and return how many there were."""
        self._tasks.raise_failure()
        return await handle_due(self._journal, self._clock, self.kind, self._handle)

    async def _handle(self, due: Due) -> None:
        run = await self._journal.load(fallback_run_decider, due.stream)
        owner = run.state.account_id
        by = Caller(owner, WORKER, self._randomness.new_id("req"))
        pending = StepDecision(by, due, run, self._clock.now())
        life = pending.state.life
        # First: a crowded account must not put off the due row of a step that another node has fired.
        if not isinstance(life, Triggered) or life.step != due.number:
            await self._recording.put_off(pending)
            return
        if not self._tasks.reserve(owner):
            await put_off(self._journal, self._clock, due, WHEN_CROWDED, pending.unmoved)
            return
        task = None
        try:
            task = await self._decide(pending, life)
        finally:
            if task is None:
                self._tasks.release(owner)
        if task is not None:
            self._tasks.begin(owner, task())

    async def _decide(self, pending: StepDecision, life: Triggered) -> ProviderTask | None:
        """Record the decisions that need no provider; return the task that needs one."""
        due = pending.due
        try:
            step = await self._preparing.prepare(due.stream, pending.state, due.number)
        except StepRefusedError as refused:
            await self._recording.reject(pending, refused)
            return None
        attempt = await self._journal.load(message_decider, pending.state.live_message_id)
        if not life.ended and await self._can_be_revoked(attempt.state):
            again = pending.at + timedelta(seconds=self._calls.timeout) + _REVOKED_BY
            await self._recording.decide_the_race(pending, again)
            return partial(self._revoke, pending, attempt.state)
        try:
            fired = await self._recording.fire(pending, step, attempt, RevokeOutcome.NOT_REVOKED)
        except PersonGone:
            await self._recording.reject(pending, StepRefusedError(PERSON_ERASED))
            return None
        return partial(self._sending.send, pending.by, fired) if fired else None

    async def _can_be_revoked(self, attempt: Message) -> bool:
        outcome = attempt.outcome
        if outcome is None or outcome.refused or not attempt.on_its_way:
            return False
        return await self._calls.can_revoke(attempt.channel, attempt.taken_by)

    async def _revoke(self, pending: StepDecision, attempt: Message) -> None:
        assert attempt.outcome is not None
        # Without the provider's id, as after an unknown outcome, our reference may find it (C-69).
        outcome = await self._calls.revoke(
            attempt.channel,
            attempt.taken_by,
            SentMessage(
                reference=pending.state.live_message_id,
                destination=attempt.recipient,
                # Another account than the planned one sent in its own name.
                sender=attempt.sender if attempt.taken_by == attempt.channel_account_id else None,
                provider_message_id=attempt.outcome.provider_message_id,
                outcome_unknown=attempt.outcome.status is OutcomeStatus.UNKNOWN,
                asked_before=isinstance(pending.run.state.life, Triggered),
                expires_at=attempt.created_at + timedelta(seconds=pending.state.live_seconds),
            ),
        )
        fired = await retry_on_conflict(partial(self._fire_after, pending.by, pending.due, outcome))
        if fired is not None:
            await self._sending.send(pending.by, fired)

    async def _fire_after(
        self, by: Caller, due: Due, outcome: RevokeOutcome
    ) -> OutgoingMessage | None:
        """Fire the step if it is still needed after its channel's answer about the attempt before."""
        run = await self._journal.load(fallback_run_decider, due.stream)
        before = await self._journal.load(message_decider, run.state.live_message_id)
        pending = StepDecision(by, due, run, self._clock.now())
        try:
            step = await self._preparing.prepare(due.stream, run.state, due.number)
        except StepRefusedError as refused:
            # The conditions of the step may have changed while the channel was asked.
            await self._recording.reject(pending, refused, (before, outcome))
            return None
        try:
            return await self._recording.fire(pending, step, before, outcome)
        except PersonGone:
            erased = StepRefusedError(PERSON_ERASED)
            await self._recording.reject(pending, erased, (before, outcome))
            return None
