"""Close dispatches of messages whose process died before their outcome was recorded (C-20, C-35)."""

from __future__ import annotations

from ...domain.channel import interrupted
from ...domain.conditions import Unchanged
from ...domain.fallback_run import fallback_run_decider
from ...domain.message import Message, message_decider
from ..caller import WORKER, Caller
from ..errands import Errands
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.event_store import Due, Loaded
from ..ports.randomness import Randomness
from ..provider_calls import ProviderCalls
from .preparing_steps import PreparingSteps, StepRefusedError
from .recording_outcomes import RecordingOutcomes
from .sending_steps import FiredStep, SendingSteps, step_watch


class RecoveringMessages:
    """
    Sends a step again where its provider takes a reference once; records `unknown` elsewhere.

    A caller's own send is never repeated: its content may be a code, which nobody has any more, and
    the caller, who got no answer, may send it again.
    """

    def __init__(
        self,
        journal: Journal,
        preparing: PreparingSteps,
        calls: ProviderCalls,
        sending: SendingSteps,
        recording: RecordingOutcomes,
        errands: Errands,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._preparing = preparing
        self._calls = calls
        self._sending = sending
        self._recording = recording
        self._errands = errands
        self._randomness = randomness
        self._clock = clock

    async def recover(self, due: Due) -> None:
        """Recover one dispatch; nothing, where its outcome was recorded after all."""
        message = await self._journal.load(message_decider, due.stream)
        by = Caller(message.state.account_id, WORKER, self._randomness.new_id("req"))
        again = await self._to_repeat(due.stream, message)
        if again is None:
            outcome = interrupted(message.state.channel)
            await self._recording.record(by, due.stream, outcome, done=due)
            return
        await self._journal.write(
            by,
            self._clock.now(),
            conditions=(Unchanged(due.stream, message.version),),
            due=(again.watch,),
        )
        await self._errands.begin(self._sending.send(by, again))

    async def _to_repeat(self, message_id: str, loaded: Loaded[Message]) -> FiredStep | None:
        message = loaded.state
        if message.step_of is None or message.outcome is not None:
            return None
        if not await self._calls.deduplicates(message.channel_account_id):
            return None
        run = (await self._journal.load(fallback_run_decider, message.step_of)).state
        number = run.step_of(message_id)
        try:
            step = await self._preparing.prepare(message.step_of, run, number)
        except StepRefusedError:
            return None
        return FiredStep(
            message_id=message_id,
            channel=message.channel,
            channel_account_id=message.channel_account_id,
            sender=message.sender,
            recipient=message.recipient,
            content=step.content,
            template=step.template,
            ttl_seconds=None if number == len(run.steps) else run.waittime_seconds,
            watch=step_watch(message_id, self._clock, self._calls),
        )
