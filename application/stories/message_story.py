"""The story of a message, and of the fallback run that it belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from attrs import evolve, field, frozen

from ...domain.channel import ChannelName
from ...domain.fallback_run import (
    FallbackArmed,
    FallbackDispatched,
    FallbackRun,
    FallbackTriggered,
    TriggerReason,
)
from ...domain.message import Message
from ..messages.looking_up.views import ReportedMessage
from ..ports.event_store import Recorded
from ..records import row_of
from ..records.message import MessageRow
from .shown_contents import ShownContent
from .story import Story


@frozen(kw_only=True)
class Attempt:
    """
    One send of a fallback run's line: the primary has number 0, a step its own.

    `status` is that of its message, once there is one. `recipient` and `error_code` are as the run or the
    message has them. `deadline` is when the wait for this attempt ends or ended, and the next step follows;
    the last one has none. `triggered_at` is when the step became due, and `reason` why.
    """

    number: int
    channel: ChannelName
    sender: str
    recipient: str = field(repr=False)
    message_id: str | None
    status: str
    error_code: str | None
    deadline: datetime | None = None
    triggered_at: datetime | None = None
    reason: TriggerReason | None = None


@frozen(kw_only=True)
class RunLine:
    """A fallback run as a line of attempts, from the primary to the last step."""

    run_id: str
    fallback_id: str
    status: str
    waittime_seconds: int
    attempts: tuple[Attempt, ...]


@frozen(kw_only=True)
class MessageMoment:
    """A message after one of the events of its story, and its run; None before they began."""

    step: int
    at: datetime
    view: ReportedMessage | None
    run: RunLine | None


@frozen
class MessageStory:
    """The events of a message and of its fallback run; `message` is as it is now."""

    message_id: str
    message: Message
    story: Story
    run_id: str | None = field(kw_only=True)
    content: ShownContent = field(kw_only=True)

    @property
    def view(self) -> ReportedMessage:
        """The message as it is now."""
        return self._view(self.message)

    def moment(self, step: int) -> MessageMoment:
        """Return the message and its run after an event of the story."""
        (found,) = self.moments(step)
        return found

    def moments(self, *steps: int) -> Sequence[MessageMoment]:
        """Return the message and its run after some events of the story, in ascending order."""
        states = self.story.states(*steps)
        return [self._moment(step, each) for step, each in zip(steps, states, strict=True)]

    def _moment(self, step: int, states: Mapping[str, Any]) -> MessageMoment:
        run: FallbackRun | None = states.get(self.run_id or "")
        messages: dict[str, Message] = {
            stream: state for stream, state in states.items() if isinstance(state, Message)
        }
        message = messages.get(self.message_id)
        return MessageMoment(
            step=step,
            at=self.story.events[step - 1].event.at,
            view=None if message is None else self._view(message),
            run=None if run is None else self._line(run, messages, step),
        )

    def _view(self, message: Message) -> ReportedMessage:
        row = cast(MessageRow, row_of(self.message_id, message))
        own = (each for each in self.story.events if each.stream == self.message_id)
        actor = next(own).actor
        view = ReportedMessage.of(row, channel_account=None, actor=actor, api_key=None)
        names = self.story.names
        named = names.get(view.channel_account_id)
        return evolve(view, channel_name=named, api_key_name=names.get(actor))

    def _line(self, run: FallbackRun, messages: dict[str, Message], step: int) -> RunLine:
        waits = _Waits(self.story.events[:step], run)
        primary = messages.get(run.message_id)
        attempts = [] if primary is None else [_primary(run, primary, waits)]
        attempts += [_step(run, number, messages, waits) for number in range(1, len(run.steps) + 1)]
        return RunLine(
            run_id=self.run_id or "",
            fallback_id=run.fallback_id,
            status=str(run.status),
            waittime_seconds=run.waittime_seconds,
            attempts=tuple(attempts),
        )


class _Waits:
    """When the waits of a run end, and when and why its steps were triggered, from its events."""

    def __init__(self, events: tuple[Recorded, ...], run: FallbackRun) -> None:
        self._deadlines: dict[int, datetime] = {}
        self._triggers: dict[int, FallbackTriggered] = {}
        wait = timedelta(seconds=run.waittime_seconds)
        for each in events:
            match each.event:
                case FallbackArmed(deadline=deadline):
                    self._deadlines[0] = deadline
                case FallbackDispatched(step=step, at=at) if step < len(run.steps):
                    self._deadlines[step] = at + wait
                case FallbackTriggered(step=step) as trigger:
                    self._triggers[step] = trigger
                case _:
                    pass

    def of(self, number: int) -> datetime | None:
        """Return when the wait for an attempt ends."""
        return self._deadlines.get(number)

    def trigger(self, number: int) -> FallbackTriggered | None:
        """Return what triggered a step."""
        return self._triggers.get(number)


def _primary(run: FallbackRun, primary: Message, waits: _Waits) -> Attempt:
    return Attempt(
        number=0,
        channel=primary.channel,
        sender=primary.sender,
        recipient=primary.recipient,
        message_id=run.message_id,
        status=str(primary.status),
        error_code=_error_code(primary),
        deadline=waits.of(0),
    )


def _step(run: FallbackRun, number: int, messages: dict[str, Message], waits: _Waits) -> Attempt:
    step, trigger = run.steps[number - 1], waits.trigger(number)
    sent = messages.get(step.message_id or "")
    return Attempt(
        number=number,
        channel=step.channel,
        sender=step.planned.sender,
        recipient=step.planned.recipient,
        message_id=step.message_id,
        status=str(step.status if sent is None else sent.status),
        error_code=step.error_code if sent is None else _error_code(sent),
        deadline=waits.of(number),
        triggered_at=None if trigger is None else trigger.at,
        reason=None if trigger is None else trigger.reason,
    )


def _error_code(message: Message) -> str | None:
    """Return the error code of the newest line of a history that has one."""
    codes = (line.error_code for line in reversed(message.history) if line.error_code)
    return next(codes, None)
