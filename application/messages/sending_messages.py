"""Send messages, each with its fallback run (SPEC B1, C-19, C-20)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from attrs import field, frozen

from ...domain.channel import ChannelName, ChannelOutcome
from ...domain.errors import DomainError
from ..caller import Caller
from ..idempotency import Idempotency
from ..journal import Journal
from ..ports.clock import Clock
from ..provider_calls import ProviderCalls
from .composing_messages import composed, hidden_words
from .planning_sends import PlannedMessage, PlanningSends
from .recording_outcomes import RecordingOutcomes
from .send_requests import FallbackRequest, SendRequest
from .taking_messages_in import OutgoingMessage, TakingMessagesIn

# Sends of one call that are under way at once; a few calls fill what a channel account may have.
AT_ONCE = 128


@frozen(kw_only=True)
class SentMessage:
    """What became of one entry of a send (C-19)."""

    message_id: str
    channel: ChannelName
    recipient: str = field(repr=False)
    accepted: bool
    error_code: str | None = None
    error_message: str | None = None
    cust_refs: Mapping[str, str] = field(repr=False)
    run_id: str | None = None


@frozen(kw_only=True)
class SentFallback:
    """The fallback that all messages of a send got; `deadline` is the first wait's end."""

    fallback_id: str
    waittime_seconds: int
    deadline: datetime


@frozen(kw_only=True)
class SentMessages:
    """A send as it was answered, its entries in the order given."""

    messages: tuple[SentMessage, ...]
    fallback: SentFallback | None = None


class SendingMessages:
    """One append before the dispatch, for the whole call; one for each outcome after it."""

    def __init__(
        self,
        journal: Journal,
        planning: PlanningSends,
        taking_in: TakingMessagesIn,
        calls: ProviderCalls,
        recording: RecordingOutcomes,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._planning = planning
        self._taking_in = taking_in
        self._calls = calls
        self._recording = recording
        self._clock = clock

    async def send(
        self, by: Caller, request: SendRequest, idempotency: Idempotency | None = None
    ) -> SentMessages:
        """
        Take the messages in, arm their fallbacks, and hand them to their providers.

        Returns when every outcome is recorded; a provider's no rejects only its entry (C-48).
        Raises what `PlanningSends.plan` raises, and `KeyAnswered` with the saved answer on a replay.
        """
        now = self._clock.now()
        reservation = idempotency.reservation if idempotency else None
        try:
            plan = await self._planning.plan(by.account_id, request)
        except DomainError:
            await self._journal.check_key(reservation, now)
            raise
        taken = self._taking_in.take(by, request, plan, now)
        await self._journal.write(
            by,
            now,
            *taken.changes,
            due=tuple(taken.due),
            keeping=tuple(taken.keys),
            taking=reservation,
        )
        with self._journal.renewing(by, now, reservation):
            try:
                return await self._dispatch(by, request, taken.outgoing, now, idempotency)
            except DomainError:
                raise
            except Exception as unexpected:
                if idempotency:
                    await self._journal.write(
                        by,
                        self._clock.now(),
                        completing=reservation,
                        answer=idempotency.present(unexpected),
                    )
                raise

    async def _dispatch(
        self,
        by: Caller,
        request: SendRequest,
        outgoing: Sequence[OutgoingMessage],
        began: datetime,
        idempotency: Idempotency | None,
    ) -> SentMessages:
        """
        Dispatch all at once, and record each outcome as it comes.

        The last one is recorded when all others are, with the answer to save: so the answer never
        stands without the events that it tells of (C-10).
        """
        outcomes = {each.message_id: each.outcome for each in outgoing if each.outcome is not None}
        places = asyncio.Semaphore(AT_ONCE)

        async def dispatch(each: OutgoingMessage) -> OutgoingMessage | None:
            outcomes[each.message_id] = outcome = await self._send(each, request, places)
            if len(outcomes) == len(outgoing):
                return each
            await self._recording.record(by, each.message_id, outcome, done=each.watch)
            return None

        done = await asyncio.gather(
            *(dispatch(each) for each in outgoing if each.outcome is None), return_exceptions=True
        )
        last = None
        for each in done:
            if isinstance(each, BaseException):
                raise each
            last = each or last
        sent = _sent(request, outgoing, outcomes, began)
        completing = idempotency.reservation if idempotency else None
        answer = idempotency.present(sent) if idempotency else None
        if last is not None:
            await self._recording.record(
                by,
                last.message_id,
                outcomes[last.message_id],
                done=last.watch,
                completing=completing,
                answer=answer,
            )
        elif idempotency is not None:
            await self._journal.write(by, self._clock.now(), completing=completing, answer=answer)
        return sent

    async def _send(
        self, each: OutgoingMessage, request: SendRequest, places: asyncio.Semaphore
    ) -> ChannelOutcome:
        planned = each.planned
        try:
            async with asyncio.timeout(self._calls.timeout):
                await places.acquire()
        except TimeoutError:
            return self._calls.busy(planned.request.channel, planned.channel_account_id)
        try:
            message = composed(
                reference=each.message_id,
                channel=planned.request.channel,
                channel_account_id=planned.channel_account_id,
                sender=planned.request.sender,
                recipient=planned.recipient,
                content=planned.request.content,
                template=planned.template,
                ttl_seconds=_ttl(planned, request.fallback),
            )
            return await self._calls.send(
                planned.request.channel,
                planned.channel_account_id,
                lambda _: message,
                hidden_words(planned.request.content, planned.template),
            )
        finally:
            places.release()


def _ttl(planned: PlannedMessage, fallback: FallbackRequest | None) -> int | None:
    """Cap what the caller asked for: the attempt is over when its fallback fires (C-20, C-50)."""
    wanted = planned.request.ttl_seconds
    if fallback is None:
        return wanted
    return min(wanted or fallback.waittime_seconds, fallback.waittime_seconds)


def _sent(
    request: SendRequest,
    outgoing: Sequence[OutgoingMessage],
    outcomes: Mapping[str, ChannelOutcome],
    began: datetime,
) -> SentMessages:
    fallback = None
    if request.fallback is not None:
        wait = request.fallback.waittime_seconds
        fallback = SentFallback(
            fallback_id=request.fallback.fallback_id,
            waittime_seconds=wait,
            deadline=began + timedelta(seconds=wait),
        )
    return SentMessages(
        messages=tuple(
            SentMessage(
                message_id=each.message_id,
                channel=each.planned.request.channel,
                recipient=each.planned.recipient,
                accepted=outcomes[each.message_id].accepted,
                error_code=outcomes[each.message_id].error_code,
                error_message=outcomes[each.message_id].error_message,
                cust_refs=each.planned.request.cust_refs,
                run_id=each.run_id,
            )
            for each in outgoing
        ),
        fallback=fallback,
    )
