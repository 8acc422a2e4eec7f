"""Send the messages of one call through their providers, and record the outcomes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from ....domain.channel import ChannelOutcome
from ...caller import Caller
from ...concurrency.bulk_lane import BulkWork
from ...provider_calls import ProviderCalls
from ..taking_in.messages_of_calls import TakenMessage
from .recording_outcomes import FirstOutcome, RecordingOutcomes

# The concurrent sends of one call: as many as a channel account has under way by default, so that they
# do not wait in its queue for each other.
AT_ONCE = 64
# The outcomes of one append; with more of them, other appends would wait too long for the writer.
RECORDED_AT_ONCE = 32


class DispatchingCall:
    """
    The dispatch of one call: a limited number of messages at once, the next one as soon as one is done.

    Outcomes are recorded as they come. Those that come while others are being recorded share an append.
    """

    def __init__(
        self, calls: ProviderCalls, recording: RecordingOutcomes, by: Caller, work: BulkWork
    ) -> None:
        self.outcomes: dict[str, ChannelOutcome] = {}
        self._calls = calls
        self._recording = recording
        self._by = by
        self._work = work
        self._places = asyncio.Semaphore(AT_ONCE)
        # All messages together wait for places no longer than one message may.
        self._patience = calls.timeout
        self._unrecorded: deque[FirstOutcome] = deque()
        self._still_out = 0
        self._is_recording = False

    async def dispatch(self, messages: Sequence[TakenMessage]) -> Sequence[FirstOutcome]:
        """
        Dispatch all messages; return the last outcomes, which are not recorded yet.

        Raises an unexpected failure once all other sends have ended.
        """
        self._still_out = len(messages)
        under_way: set[asyncio.Task[None]] = set()
        try:
            for each in messages:
                has_place = await self._take_place()
                await self._work.pause()
                under_way.add(asyncio.create_task(self._send(each, has_place=has_place)))
            ended = await asyncio.gather(*under_way, return_exceptions=True)
        finally:
            for task in under_way:
                task.cancel()
        for failure in ended:
            if isinstance(failure, BaseException):
                raise failure
        while len(self._unrecorded) > RECORDED_AT_ONCE:
            await self._record_some()
        return tuple(self._unrecorded)

    async def _take_place(self) -> bool:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(self._patience):
                await self._places.acquire()
        except TimeoutError:
            return False
        finally:
            self._patience -= loop.time() - began
        return True

    async def _send(self, each: TakenMessage, *, has_place: bool) -> None:
        outgoing = each.outgoing
        try:
            if has_place:
                outcome = await self._calls.send(outgoing.composed(), outgoing.veiled)
            else:
                outcome = self._calls.busy(outgoing.channel, outgoing.channel_account_id)
        finally:
            self._still_out -= 1
            if has_place:
                self._places.release()
        self.outcomes[outgoing.message_id] = outcome
        self._unrecorded.append(
            FirstOutcome(
                message_id=outgoing.message_id,
                outcome=outcome,
                due_row=outgoing.due_row,
                message=each.message,
                run=each.run,
            )
        )
        if self._is_recording:
            return
        self._is_recording = True
        try:
            # The last outcomes are recorded together with the answer.
            while self._unrecorded and self._still_out:
                # Wait for other outcomes of this iteration of the event loop.
                await asyncio.sleep(0)
                if self._still_out:
                    await self._record_some()
        finally:
            self._is_recording = False

    async def _record_some(self) -> None:
        some = [
            self._unrecorded.popleft() for _ in range(min(RECORDED_AT_ONCE, len(self._unrecorded)))
        ]
        await self._recording.record_many(self._by, some, self._work)
