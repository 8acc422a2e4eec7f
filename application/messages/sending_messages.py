"""Send messages, each with its fallback run (SPEC B1, C-19, C-20)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from attrs import field, frozen

from ...domain.channel import ChannelName, ChannelOutcome
from ...domain.errors import DomainError
from ..caller import Caller
from ..concurrency.bulk_lane import BulkLane
from ..idempotency import Idempotency
from ..journal import Journal, retry_on_conflict
from ..ports.clock import Clock
from ..ports.event_store import Reservation
from ..provider_calls import ProviderCalls
from .dispatching.dispatching_calls import DispatchingCall
from .dispatching.recording_outcomes import RecordingOutcomes
from .planning.filling_dlt_ids import FillingDltIds
from .planning.planning_sends import PlanningSends
from .planning.send_requests import SendRequest
from .taking_in.messages_of_calls import TakenMessage
from .taking_in.taking_messages_in import TakenIn, TakingMessagesIn

# A call of this many messages is expensive to plan, so a replay is detected before.
MANY = 50


@frozen(kw_only=True)
class SentMessage:
    """The outcome of one entry of a send (C-19)."""

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
    """The fallback of all messages of a send; `deadline` is the end of the first wait."""

    fallback_id: str
    waittime_seconds: int
    deadline: datetime


@frozen(kw_only=True)
class SentMessages:
    """The answer to a send, with its entries in the given order."""

    messages: tuple[SentMessage, ...]
    fallback: SentFallback | None = None


class SendingMessages:
    """Sends calls: one append before the dispatch, and one for each group of outcomes after it."""

    def __init__(
        self,
        journal: Journal,
        dlt_ids: FillingDltIds,
        planning: PlanningSends,
        taking_in: TakingMessagesIn,
        calls: ProviderCalls,
        recording: RecordingOutcomes,
        lane: BulkLane,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._dlt_ids = dlt_ids
        self._planning = planning
        self._taking_in = taking_in
        self._calls = calls
        self._recording = recording
        self._lane = lane
        self._clock = clock

    async def send(
        self, by: Caller, request: SendRequest, idempotency: Idempotency | None = None
    ) -> SentMessages:
        """
        Record the messages, arm their fallbacks, and send them through their providers.

        Returns when every outcome is recorded; a provider's refusal rejects only its entry (C-48).
        Raises the errors of `FillingDltIds.filled` and `PlanningSends.plan`, and `KeyAnswered` with
        the saved answer on a replay.
        """
        now = self._clock.now()
        reservation = idempotency.reservation if idempotency else None
        # Plan again if an opt-out or opt-in comes between the plan and the append (D-72), or another guard
        # policy, or if another call has added a recipient, or an erasure has ended one.
        taken = await retry_on_conflict(partial(self._take_in, by, request, reservation, now))
        with self._journal.renewing(by, self._clock, reservation):
            try:
                return await self._dispatch(by, request, taken.messages, now, idempotency)
            except DomainError:
                raise
            except Exception as unexpected:
                if idempotency:
                    await idempotency.save(self._journal, by, self._clock, unexpected)
                raise

    async def _take_in(
        self, by: Caller, request: SendRequest, reservation: Reservation | None, now: datetime
    ) -> TakenIn:
        work = self._lane.work(by.account_id)
        try:
            if len(request.messages) >= MANY:
                await self._journal.check_key(reservation, now)
            filled = await self._dlt_ids.filled(by, request, work)
            plan = await self._planning.plan(by.account_id, filled, work)
        except DomainError:
            await self._journal.check_key(reservation, now)
            raise
        taken = await self._taking_in.take(by, request, plan, now, work)
        await self._journal.write(
            by,
            now,
            *taken.changes,
            work=work,
            bounded=True,
            conditions=plan.conditions,
            due=taken.due,
            keeping=taken.keys,
            new_people=plan.new_people,
            taking=_about(plan.only_person, reservation),
        )
        plan.guarded.count()
        return taken

    async def _dispatch(
        self,
        by: Caller,
        request: SendRequest,
        taken: Sequence[TakenMessage],
        began: datetime,
        idempotency: Idempotency | None,
    ) -> SentMessages:
        """
        Dispatch all messages, and record outcomes as they come.

        The last outcomes are recorded together with the answer, after all others. So no answer is
        saved without the events that it reports (C-10).
        """
        work = self._lane.work(by.account_id)
        outcomes = {
            each.outgoing.message_id: each.refused for each in taken if each.refused is not None
        }
        dispatching = DispatchingCall(self._calls, self._recording, by, work)
        last = await dispatching.dispatch([each for each in taken if each.refused is None])
        outcomes |= dispatching.outcomes
        if len(taken) >= MANY:
            # The answer for so many messages is a slice of its own.
            await asyncio.sleep(0)
        sent = _sent(request, taken, outcomes, began)
        if last:
            await self._recording.record_many(
                by,
                last,
                work,
                completing=idempotency.reservation if idempotency else None,
                answer=idempotency.present(sent) if idempotency else None,
            )
        elif idempotency is not None:
            await idempotency.save(self._journal, by, self._clock, sent)
        return sent


def _about(person_id: str | None, reservation: Reservation | None) -> Reservation | None:
    """Return the claim of a call: about its recipient, if it has one, whose erasure ends its answer."""
    return reservation if reservation is None or person_id is None else reservation.about(person_id)


def _sent(
    request: SendRequest,
    taken: Sequence[TakenMessage],
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
        messages=tuple(_entry(each, outcomes[each.outgoing.message_id]) for each in taken),
        fallback=fallback,
    )


def _entry(taken: TakenMessage, outcome: ChannelOutcome) -> SentMessage:
    return SentMessage(
        message_id=taken.outgoing.message_id,
        channel=taken.outgoing.channel,
        recipient=taken.outgoing.recipient,
        accepted=outcome.accepted,
        error_code=outcome.error_code,
        error_message=outcome.error_message,
        cust_refs=taken.cust_refs,
        run_id=taken.message.state.run_id,
    )
