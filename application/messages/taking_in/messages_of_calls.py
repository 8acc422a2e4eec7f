"""The messages of one call, each with its fallback run, seal and due row."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from ....domain import fallback_run as runs
from ....domain import message as messages
from ....domain.channel import ChannelOutcome
from ....domain.decider import Decision
from ....domain.fallback_run import FallbackRun, FallbackStep, fallback_run_decider
from ....domain.message import Content, Message, message_decider
from ...caller import Caller
from ...journal import beginning
from ...ports.event_store import Change, Due, DueKind, Loaded
from ...ports.randomness import Randomness
from ...ports.sealer import SealKey
from ...records.fallback_run import FALLBACK_RUN
from ...records.message import MESSAGE
from ...run_changes import UNMOVED, RunChange, begun
from ..planning.planning_sends import Plan, PlannedMessage
from ..planning.send_requests import FallbackRequest, SendRequest, StepRequest
from .composing_messages import OutgoingMessage
from .contents_of_calls import ContentsOfCall, MessageContent
from .sealed_contents import SealedContents


@frozen(kw_only=True)
class TakenMessage:
    """
    A message and its run, in the state after the call's append.

    `refused` is its outcome if it is rejected without a try.
    """

    outgoing: OutgoingMessage
    cust_refs: Mapping[str, str] = field(repr=False)
    message: Loaded[Message]
    run: Loaded[FallbackRun] | None
    refused: ChannelOutcome | None


class MessagesOfCall:
    """Builds the changes of one call, message by message."""

    def __init__(
        self,
        by: Caller,
        request: SendRequest,
        plan: Plan,
        contents: ContentsOfCall,
        now: datetime,
        orphaned_at: datetime,
        sealed: SealedContents,
        randomness: Randomness,
    ) -> None:
        self._by = by
        self._request = request
        self._plan = plan
        self._contents = contents
        self._now = now
        self._orphaned_at = orphaned_at
        self._sealed = sealed
        self._randomness = randomness
        self.taken: list[TakenMessage] = []
        self.changes: list[Change] = []
        self.due: list[Due] = []
        self.keys: list[SealKey] = []

    def take(self, planned: PlannedMessage) -> None:
        """Take in one message with its run."""
        message_id = self._randomness.new_id(MESSAGE.prefix)
        run_id, run = None, UNMOVED
        if self._request.fallback is not None:
            run_id = self._randomness.new_id(FALLBACK_RUN.prefix)
            run = self._armed(run_id, message_id, self._request.fallback, planned)
        # Nothing is kept of a content that is rejected without a try (C-94).
        content = MessageContent(content=planned.request.content)
        if planned.refused is None:
            content = self._contents.of_message(
                message_id,
                planned.person_id,
                planned.request.content,
                hidden=self._plan.carries_code,
            )
        outgoing = self._outgoing(message_id, planned, content.content)
        submitted = self._submitted(outgoing, planned, content, run_id)
        message = beginning(message_decider, message_id, submitted)
        self.changes += [*run.changes, message]
        self.due += [*run.due, *(() if planned.refused else (outgoing.due_row,))]
        self.taken.append(
            TakenMessage(
                outgoing=outgoing,
                cust_refs=planned.request.cust_refs,
                message=_written(message),
                run=_written(*run.changes) if run.changes else None,
                refused=planned.refused,
            )
        )

    def _armed(
        self, run_id: str, message_id: str, fallback: FallbackRequest, planned: PlannedMessage
    ) -> RunChange:
        key = None
        if self._plan.carries_code:
            key = self._sealed.new_key(run_id, like=self.keys[0] if self.keys else None)
            self.keys.append(key)
        steps = [
            self._step(run_id, number, key, message_id, step.request, planned)
            for number, step in enumerate(self._plan.steps, start=1)
        ]
        armed = runs.arm(
            runs.ArmFallback(
                at=self._now,
                account_id=self._by.account_id,
                person_id=planned.person_id,
                message_id=message_id,
                fallback_id=fallback.fallback_id,
                waittime_seconds=fallback.waittime_seconds,
                steps=tuple(steps),
                ttl_seconds=planned.request.ttl_seconds,
            )
        )
        if planned.refused is not None:
            command = runs.TakePrimaryOutcome(at=self._now, outcome=planned.refused)
            run = fallback_run_decider.fold(armed.events)
            armed = armed.followed_by(runs.primary_outcome(run, command))
        return begun(run_id, armed, self._now)

    def _step(
        self,
        run_id: str,
        number: int,
        key: SealKey | None,
        message_id: str,
        ordered: StepRequest,
        planned: PlannedMessage,
    ) -> FallbackStep:
        stored = self._contents.of_step(
            run_id, number, key, message_id, planned.person_id, ordered.content
        )
        return FallbackStep(
            person_id=planned.person_id,
            channel=ordered.channel,
            sender=ordered.sender,
            recipient=planned.recipient,
            content=stored.content,
            sealed=stored.sealed,
            content_id=stored.content_id,
            link_codes=stored.link_codes,
            # The references belong to the message, whichever channel delivers it (D-148).
            cust_refs=ordered.cust_refs or planned.request.cust_refs,
        )

    def _outgoing(
        self, message_id: str, planned: PlannedMessage, content: Content
    ) -> OutgoingMessage:
        wanted = planned.request
        ttl_seconds = wanted.ttl_seconds
        if self._request.fallback is not None:
            # The attempt ends when its fallback fires (C-20, C-50).
            waits = self._request.fallback.waittime_seconds
            ttl_seconds = min(ttl_seconds or waits, waits)
        return OutgoingMessage(
            message_id=message_id,
            channel=wanted.channel,
            channel_account_id=planned.channel_account_id,
            sender=wanted.sender,
            recipient=planned.recipient,
            content=content,
            template=planned.template,
            carries_code=self._plan.carries_code,
            ttl_seconds=ttl_seconds,
            due_row=Due(DueKind.ORPHANED_DISPATCH, message_id, 1, self._orphaned_at),
        )

    def _submitted(
        self,
        outgoing: OutgoingMessage,
        planned: PlannedMessage,
        content: MessageContent,
        run_id: str | None,
    ) -> Decision:
        submitted = messages.submit(
            messages.SubmitMessage(
                at=self._now,
                account_id=self._by.account_id,
                person_id=planned.person_id,
                channel=outgoing.channel,
                channel_account_id=outgoing.channel_account_id,
                sender=outgoing.sender,
                recipient=outgoing.recipient,
                content=content.kept,
                content_id=content.content_id,
                link_codes=content.link_codes,
                carries_code=outgoing.carries_code,
                cust_refs=planned.request.cust_refs,
                campaign=self._request.campaign,
                run_id=run_id,
                resource_type=self._request.resource_type,
                tags=self._request.tags,
                callback_url=self._request.callback_url,
            )
        )
        if planned.refused is None:
            return submitted
        recorded = messages.record_dispatch(
            message_decider.fold(submitted.events),
            messages.RecordDispatch(
                at=self._now, message_id=outgoing.message_id, outcome=planned.refused
            ),
        )
        return submitted.followed_by(recorded)


def _written(change: Change) -> Loaded[Any]:
    return Loaded(change.state, change.expected_version + len(change.events))
