"""Close dispatches of messages whose process died before it recorded their outcome (C-20, C-35)."""

from __future__ import annotations

from attrs import evolve

from ...domain.channel import interrupted
from ...domain.conditions import Unchanged
from ...domain.fallback_run import fallback_run_decider
from ...domain.message import Message, message_decider
from ..caller import WORKER, Caller
from ..concurrency.bounded_tasks import WHEN_CROWDED, BoundedTasks
from ..due_work import put_off
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.event_store import Due, Loaded
from ..ports.randomness import Randomness
from ..provider_calls import ProviderCalls
from .dispatching.recording_outcomes import RecordingOutcomes
from .falling_back.preparing_steps import PreparingSteps, StepRefusedError
from .falling_back.sending_steps import SendingSteps
from .taking_in.composing_messages import OutgoingMessage


class RecoveringMessages:
    """
    Sends a step again if its provider ignores repeated references; otherwise records `unknown`.

    A caller's own send is never repeated: its content may be a code, which is not stored. The caller
    received no answer, and may send it again.
    """

    def __init__(
        self,
        journal: Journal,
        preparing: PreparingSteps,
        calls: ProviderCalls,
        sending: SendingSteps,
        recording: RecordingOutcomes,
        tasks: BoundedTasks,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._preparing = preparing
        self._calls = calls
        self._sending = sending
        self._recording = recording
        self._tasks = tasks
        self._randomness = randomness
        self._clock = clock

    async def recover(self, due: Due) -> None:
        """Recover one dispatch; nothing happens if its outcome has been recorded."""
        message = await self._journal.load(message_decider, due.stream)
        by = Caller(message.state.account_id, WORKER, self._randomness.new_id("req"))
        repeated = await self._to_repeat(due.stream, message)
        if repeated is None:
            outcome = interrupted(message.state.channel)
            await self._recording.record(by, due.stream, outcome, done=due)
            return
        again, conditions = repeated
        unmoved = Unchanged(due.stream, message.version)
        owner = message.state.account_id
        if not self._tasks.reserve(owner):
            await put_off(self._journal, self._clock, due, WHEN_CROWDED, unmoved)
            return
        try:
            await self._journal.write(
                by, self._clock.now(), conditions=(unmoved, *conditions), due=(again.due_row,)
            )
        except BaseException:
            self._tasks.release(owner)
            raise
        self._tasks.begin(owner, self._sending.send(by, again))

    async def _to_repeat(
        self, message_id: str, loaded: Loaded[Message]
    ) -> tuple[OutgoingMessage, tuple[Unchanged, ...]] | None:
        message = loaded.state
        if message.sent_by_run is None or message.outcome is not None:
            return None
        if not await self._calls.deduplicates(message.channel_account_id):
            return None
        run = (await self._journal.load(fallback_run_decider, message.sent_by_run)).state
        number = run.number_of(message_id)
        try:
            step = await self._preparing.prepare(message.sent_by_run, run, number)
        except StepRefusedError:
            return None
        # Repeat it through the same channel account; another one may be the first by now.
        step = evolve(step, channel_account_id=message.channel_account_id)
        return self._sending.outgoing(message_id, run, number, step), step.conditions
