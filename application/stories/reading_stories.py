"""Read the story of a PIN or a message, for operators (C-85, D-502)."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Iterable, Sequence
from operator import attrgetter

from ...domain.event import Event
from ...domain.fallback_run import FallbackDispatched, FallbackRun, fallback_run_decider
from ...domain.message import (
    MessageDispatched,
    MessageNotFoundError,
    MessageSubmitted,
    message_decider,
)
from ...domain.pin import PinDispatched, PinNotFoundError, pin_decider
from ..caller import Caller
from ..evidence.recording_reads import RecordingReads
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.event_store import Recorded
from ..repository import find_visible
from .message_story import MessageStory
from .naming import Naming
from .pin_story import PinStory
from .shown_contents import ShownContents
from .story import Story


class ReadingStories:
    """
    Reads the events of one thing and of all that belongs to it, and notes who was shown them (D-467).

    A caller who is bound to an account finds the things of this account alone (C-84).
    """

    def __init__(
        self,
        journal: Journal,
        contents: ShownContents,
        naming: Naming,
        recording: RecordingReads,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._naming = naming
        self._contents = contents
        self._recording = recording
        self._clock = clock

    async def pin(self, by: Caller, pin_id: str) -> PinStory:
        """Return the story of a PIN; raises `PinNotFoundError`."""
        loaded = await find_visible(self._journal, by, pin_decider, pin_id)
        if loaded is None:
            raise PinNotFoundError
        story = await self._told(by, [pin_id])
        return PinStory(pin_id, loaded.state.account_id, story, self._clock.now())

    async def message(self, by: Caller, message_id: str) -> MessageStory:
        """
        Return the story of a message, together with its fallback run and all messages of this run.

        Raises `MessageNotFoundError`.
        """
        loaded = await find_visible(self._journal, by, message_decider, message_id)
        if loaded is None:
            raise MessageNotFoundError
        message = loaded.state
        run_id = message.run_id or message.sent_by_run
        run = None if run_id is None else await self._journal.find(fallback_run_decider, run_id)
        streams = [message_id]
        if run_id is not None and run is not None:
            streams += [run_id, *_sent_by(run.state)]
        story = await self._told(by, dict.fromkeys(streams))
        return MessageStory(
            message_id,
            message,
            story,
            run_id=None if run is None else run_id,
            content=await self._contents.of(message),
        )

    async def _told(self, by: Caller, streams: Iterable[str]) -> Story:
        told: list[Sequence[Recorded]] = []
        for each in streams:
            told.append(await self._journal.read_stream(each))
            self._recording.stream(by.actor, each)
        # A provider may repeat receipts 10,000 times, which the event loop must not wait for (C-94).
        events, named = await to_thread(_in_order, told)
        return Story(events, await self._naming.of(by, named))


def _in_order(told: Iterable[Iterable[Recorded]]) -> tuple[tuple[Recorded, ...], set[str]]:
    """Return the events of several streams in the order of the log, and the ids that they name."""
    events = tuple(sorted((each for stream in told for each in stream), key=attrgetter("position")))
    named = {each.actor for each in events}
    named |= {account for each in events for account in _asked(each.event)}
    return events, named


def _asked(event: Event) -> Iterable[str]:
    """Return the channel accounts that an event of a dispatch names."""
    match event:
        case PinDispatched(outcomes=outcomes):
            return (account for each in outcomes for account in each.asked)
        case MessageDispatched(outcome=outcome) | FallbackDispatched(outcome=outcome):
            return outcome.asked
        case MessageSubmitted(channel_account_id=planned):
            return (planned,)
        case _:
            return ()


def _sent_by(run: FallbackRun) -> Iterable[str]:
    """Return the messages of a run: its primary, and those of its steps."""
    steps = (step.message_id for step in run.steps if step.message_id is not None)
    return (run.message_id, *steps)
