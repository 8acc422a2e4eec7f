"""What is written before a send is dispatched: its messages, their fallback runs, seals and watches."""

from __future__ import annotations

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
from .planning_sends import Plan, PlannedMessage
from .run_changes import RunChange, begun, decided
from .sealed_contents import SealedContents
from .send_requests import FallbackRequest, SendRequest

# Waiting for a place and for the provider takes two provider time-outs (40 s at most); a message
# whose outcome is not recorded by then is orphaned (C-65: recovered within 60 s).
ORPHANED_AFTER = timedelta(seconds=45)


@frozen(kw_only=True)
class OutgoingMessage:
    """
    A message that was taken in.

    `outcome` is known already where it is rejected without a try; `watch` recovers the dispatch if
    its process dies.
    """

    message_id: str
    run_id: str | None
    planned: PlannedMessage
    outcome: ChannelOutcome | None
    watch: Due


@frozen(kw_only=True)
class TakenIn:
    """All that one append writes when a call is taken in."""

    outgoing: list[OutgoingMessage] = field(factory=list)
    changes: list[Change] = field(factory=list)
    due: list[Due] = field(factory=list)
    keys: list[SealKey] = field(factory=list)


class TakingMessagesIn:
    """Gives messages and runs their ids and their first events."""

    def __init__(self, sealed: SealedContents, randomness: Randomness, clock: Clock) -> None:
        self._sealed = sealed
        self._randomness = randomness
        self._clock = clock

    def take(self, by: Caller, request: SendRequest, plan: Plan, now: datetime) -> TakenIn:
        """Take a whole call in, in the order given."""
        taken = TakenIn()
        orphaned_at = self._clock.real() + ORPHANED_AFTER
        for planned in plan.messages:
            message_id = self._randomness.new_id("msg")
            watch = Due(DueKind.ORPHANED_DISPATCH, message_id, 1, orphaned_at)
            run_id = None
            if request.fallback is not None:
                run_id = self._randomness.new_id("run")
                run = self._arm(taken, by, run_id, message_id, request.fallback, plan, planned, now)
                taken.changes.append(run.change)
                taken.due.extend(run.due)
            submitted = _submitted(by, request, planned, message_id, run_id, now)
            taken.changes.append(beginning(message_decider, message_id, submitted))
            if planned.refused is None:
                taken.due.append(watch)
            taken.outgoing.append(
                OutgoingMessage(
                    message_id=message_id,
                    run_id=run_id,
                    planned=planned,
                    outcome=planned.refused,
                    watch=watch,
                )
            )
        return taken

    def _arm(
        self,
        taken: TakenIn,
        by: Caller,
        run_id: str,
        message_id: str,
        fallback: FallbackRequest,
        plan: Plan,
        planned: PlannedMessage,
        now: datetime,
    ) -> RunChange:
        key = None
        if any(step.carries_code for step in plan.steps):
            key = self._sealed.new_key(run_id)
            taken.keys.append(key)
        steps = []
        for number, step in enumerate(plan.steps, start=1):
            content = step.request.content
            sealed = self._sealed.seal(key, number, content) if key and step.carries_code else None
            steps.append(
                FallbackStep(
                    channel=step.request.channel,
                    sender=step.request.sender,
                    recipient=planned.recipient,
                    content=None if sealed else content,
                    sealed=sealed,
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


def _submitted(
    by: Caller,
    request: SendRequest,
    planned: PlannedMessage,
    message_id: str,
    run_id: str | None,
    now: datetime,
) -> Decision:
    submitted = messages.submit(
        messages.SubmitMessage(
            at=now,
            account_id=by.account_id,
            channel=planned.request.channel,
            channel_account_id=planned.channel_account_id,
            sender=planned.request.sender,
            recipient=planned.recipient,
            content=planned.request.content,
            template_carries_code=planned.carries_code,
            cust_refs=planned.request.cust_refs,
            campaign=request.campaign,
            run_id=run_id,
        )
    )
    if planned.refused is None:
        return submitted
    recorded = messages.record_dispatch(
        message_decider.fold(submitted.events),
        messages.RecordDispatch(at=now, message_id=message_id, outcome=planned.refused),
    )
    return Decision((*submitted.events, *recorded.events))
