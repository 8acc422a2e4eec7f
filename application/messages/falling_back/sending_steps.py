"""Send the message of a fired step (C-20)."""

from __future__ import annotations

from datetime import timedelta

from ....domain.fallback_run import FallbackRun
from ...caller import Caller
from ...ports.clock import Clock
from ...ports.event_store import Due, DueKind
from ...provider_calls import ProviderCalls
from ..dispatching.recording_outcomes import RecordingOutcomes
from ..taking_in.composing_messages import OutgoingMessage
from .preparing_steps import PreparedStep

# No caller waits for a step, so it is recovered soon after its provider's time is over.
_RECORDED_BY = timedelta(seconds=5)


class SendingSteps:
    """Sends steps whose `FallbackFired` is durable, and records the outcomes."""

    def __init__(self, calls: ProviderCalls, recording: RecordingOutcomes, clock: Clock) -> None:
        self._calls = calls
        self._recording = recording
        self._clock = clock

    def outgoing(
        self, message_id: str, run: FallbackRun, number: int, step: PreparedStep
    ) -> OutgoingMessage:
        """Return the message of a step, with a due row that recovers its dispatch."""
        planned = run.steps[number - 1].planned
        orphaned_after = timedelta(seconds=self._calls.timeout) + _RECORDED_BY
        return OutgoingMessage(
            message_id=message_id,
            channel=planned.channel,
            channel_account_id=step.channel_account_id,
            sender=planned.sender,
            recipient=planned.recipient,
            content=step.content,
            template=step.template,
            carries_code=step.carries_code,
            ttl_seconds=run.ttl_of(number),
            due_row=Due(
                DueKind.ORPHANED_DISPATCH, message_id, 1, self._clock.real() + orphaned_after
            ),
        )

    async def send(self, by: Caller, step: OutgoingMessage) -> None:
        """Send a step; if the process dies meanwhile, its due row recovers it."""
        outcome = await self._calls.send(step.composed(), step.veiled)
        await self._recording.record(by, step.message_id, outcome, done=step.due_row)
