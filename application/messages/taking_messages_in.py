"""What is written before a send is dispatched: its messages, their fallback runs, seals and watches."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from attrs import field, frozen

from ...domain import fallback_run as runs
from ...domain import message as messages
from ...domain.channel import ChannelOutcome
from ...domain.decider import Decision
from ...domain.fallback_run import FallbackRun, FallbackStep
from ...domain.message import message_decider
from ..caller import Caller
from ..journal import beginning
from ..ports.clock import Clock
from ..ports.event_store import Change, Due, DueKind
from ..ports.randomness import Randomness
from ..ports.sealer import SealKey
from ..short_links.making_short_links import MakingShortLinks
from .composing_messages import OutgoingMessage
from .planning_sends import Plan, PlannedMessage
from .run_changes import UNMOVED, RunChange, begun, decided
from .sealed_contents import SealedContents
from .send_requests import FallbackRequest, SendRequest

# Waiting for a place and for the provider takes two provider time-outs (40 s at most); a message
# whose outcome is not recorded by then is orphaned (C-65: recovered within 60 s).
ORPHANED_AFTER = timedelta(seconds=45)


@frozen(kw_only=True)
class TakenMessage:
    """A message that was taken in; `refused` is its outcome where it is rejected without a try."""

    outgoing: OutgoingMessage
    cust_refs: Mapping[str, str] = field(repr=False)
    run_id: str | None
    refused: ChannelOutcome | None


@frozen(kw_only=True)
class TakenIn:
    """All that one append writes when a call is taken in, and what is to be sent then."""

    messages: tuple[TakenMessage, ...]
    changes: tuple[Change, ...]
    due: tuple[Due, ...]
    keys: tuple[SealKey, ...]


class TakingMessagesIn:
    """Gives messages and runs their ids and their first events."""

    def __init__(
        self,
        sealed: SealedContents,
        links: MakingShortLinks,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._sealed = sealed
        self._links = links
        self._randomness = randomness
        self._clock = clock

    def take(self, by: Caller, request: SendRequest, plan: Plan, now: datetime) -> TakenIn:
        """Take a whole call in, in the order given."""
        taken: list[TakenMessage] = []
        changes: list[Change] = []
        due: list[Due] = []
        keys: list[SealKey] = []
        orphaned_at = self._clock.real() + ORPHANED_AFTER
        links = self._links.of_call(by.account_id, request.links, now, hidden=plan.carries_code)
        for each_planned in plan.messages:
            message_id = self._randomness.new_id("msg")
            planned, its_plan = links.shortened(message_id, each_planned, plan)
            run_id, run = None, UNMOVED
            if request.fallback is not None:
                run_id = self._randomness.new_id("run")
                key = self._sealed.new_key(run_id) if plan.carries_code else None
                keys += [key] if key else []
                run = self._armed(
                    by, run_id, key, message_id, request.fallback, its_plan, planned, now
                )
            each = TakenMessage(
                outgoing=_outgoing(request, plan, planned, message_id, orphaned_at),
                cust_refs=planned.request.cust_refs,
                run_id=run_id,
                refused=planned.refused,
            )
            submitted = _submitted(by, request, each, now)
            changes += [*run.changes, beginning(message_decider, message_id, submitted)]
            due += [*run.due, *(() if planned.refused else (each.outgoing.watch,))]
            taken.append(each)
        return TakenIn(
            messages=tuple(taken),
            changes=(*changes, *links.changes),
            due=tuple(due),
            keys=tuple(keys),
        )

    def _armed(
        self,
        by: Caller,
        run_id: str,
        key: SealKey | None,
        message_id: str,
        fallback: FallbackRequest,
        plan: Plan,
        planned: PlannedMessage,
        now: datetime,
    ) -> RunChange:
        steps = []
        for number, step in enumerate(plan.steps, start=1):
            content = step.request.content
            steps.append(
                FallbackStep(
                    channel=step.request.channel,
                    sender=step.request.sender,
                    recipient=planned.recipient,
                    content=None if key else content,
                    sealed=self._sealed.seal(key, number, content) if key else None,
                    cust_refs=step.request.cust_refs,
                )
            )
        armed = runs.arm(
            runs.ArmFallback(
                at=now,
                account_id=by.account_id,
                message_id=message_id,
                fallback_id=fallback.fallback_id,
                waittime_seconds=fallback.waittime_seconds,
                steps=tuple(steps),
            )
        )
        if planned.refused is not None:
            heard = runs.TakePrimaryOutcome(at=now, outcome=planned.refused)
            armed = decided(
                FallbackRun(), lambda _: armed, lambda run: runs.primary_outcome(run, heard)
            )
        return begun(run_id, armed, now)


def _outgoing(
    request: SendRequest,
    plan: Plan,
    planned: PlannedMessage,
    message_id: str,
    orphaned_at: datetime,
) -> OutgoingMessage:
    wanted = planned.request
    ttl_seconds = wanted.ttl_seconds
    if request.fallback is not None:
        # The attempt is over when its fallback fires (C-20, C-50).
        waits = request.fallback.waittime_seconds
        ttl_seconds = min(ttl_seconds or waits, waits)
    return OutgoingMessage(
        message_id=message_id,
        channel=wanted.channel,
        channel_account_id=planned.channel_account_id,
        sender=wanted.sender,
        recipient=planned.recipient,
        content=wanted.content,
        template=planned.template,
        carries_code=plan.carries_code,
        ttl_seconds=ttl_seconds,
        watch=Due(DueKind.ORPHANED_DISPATCH, message_id, 1, orphaned_at),
    )


def _submitted(by: Caller, request: SendRequest, taken: TakenMessage, now: datetime) -> Decision:
    outgoing = taken.outgoing
    submitted = messages.submit(
        messages.SubmitMessage(
            at=now,
            account_id=by.account_id,
            channel=outgoing.channel,
            channel_account_id=outgoing.channel_account_id,
            sender=outgoing.sender,
            recipient=outgoing.recipient,
            content=outgoing.content,
            carries_code=outgoing.carries_code,
            cust_refs=taken.cust_refs,
            campaign=request.campaign,
            run_id=taken.run_id,
            resource_type=request.resource_type,
            tags=request.tags,
            callback_url=request.callback_url,
        )
    )
    if taken.refused is None:
        return submitted
    recorded = messages.record_dispatch(
        message_decider.fold(submitted.events),
        messages.RecordDispatch(at=now, message_id=outgoing.message_id, outcome=taken.refused),
    )
    return Decision((*submitted.events, *recorded.events))
