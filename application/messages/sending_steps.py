"""Send what a fallback run has fired: the message of one step (C-20)."""

from __future__ import annotations

from datetime import timedelta

from attrs import field, frozen

from ...domain.channel import ChannelName
from ...domain.message import Content
from ...domain.message_template import MessageTemplate
from ..caller import Caller
from ..ports.clock import Clock
from ..ports.event_store import Due, DueKind
from ..provider_calls import ProviderCalls
from .composing_messages import composed, hidden_words
from .recording_outcomes import RecordingOutcomes

# A step is not waited for by any caller: it is recovered soon after its provider's time is over.
_RECORDED_BY = timedelta(seconds=5)


@frozen(kw_only=True)
class FiredStep:
    """A step whose `FallbackFired` is durable; `message_id` is its reference, however often it is sent."""

    message_id: str
    channel: ChannelName
    channel_account_id: str
    sender: str
    recipient: str = field(repr=False)
    content: Content = field(repr=False)
    template: MessageTemplate | None
    ttl_seconds: int | None
    watch: Due


def step_watch(message_id: str, clock: Clock, calls: ProviderCalls) -> Due:
    """Give the reminder that recovers a step's dispatch if its process dies (C-20)."""
    orphaned_after = timedelta(seconds=calls.timeout) + _RECORDED_BY
    return Due(DueKind.ORPHANED_DISPATCH, message_id, 1, clock.real() + orphaned_after)


class SendingSteps:
    """Hands a step to its provider and records what it said."""

    def __init__(self, calls: ProviderCalls, recording: RecordingOutcomes) -> None:
        self._calls = calls
        self._recording = recording

    async def send(self, by: Caller, step: FiredStep) -> None:
        """Send a step; a crash in the middle is what its watch is for."""
        message = composed(
            reference=step.message_id,
            channel=step.channel,
            channel_account_id=step.channel_account_id,
            sender=step.sender,
            recipient=step.recipient,
            content=step.content,
            template=step.template,
            ttl_seconds=step.ttl_seconds,
        )
        outcome = await self._calls.send(
            step.channel,
            step.channel_account_id,
            lambda _: message,
            hidden_words(step.content, step.template),
        )
        await self._recording.record(by, step.message_id, outcome, done=step.watch)
