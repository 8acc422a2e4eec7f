"""The views of messages: in histories, and in the delivery report (C-23, C-37)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from attrs import field, frozen

from ....domain.channel import ChannelName, OutcomeStatus
from ....domain.message import Direction, MessageStatus, ResourceType
from ...records.api_key import ApiKeyRow
from ...records.channel_account import ChannelAccountRow
from ...records.fallback_run import FallbackRunRow, StepLine
from ...records.message import HistoryLine, MessageRow

# The tags of sends by the legacy platform, by the names of a row's columns.
TAGS = ("tag1", "tag2", "tag3")
# For each final status: the lines of a history that may have its error code.
_REASONS: Mapping[str, tuple[str, ...]] = {
    MessageStatus.FAILED: (MessageStatus.FAILED,),
    MessageStatus.REJECTED: (OutcomeStatus.REJECTED, OutcomeStatus.UNKNOWN),
}


@frozen
class TriedChannelAccount:
    """An attempt to send a message through a channel account (C-69)."""

    channel_account_id: str
    status: str
    code: str | None


@frozen
class HistoryEntry:
    """A status that a message reached or repeated (C-23); `tried` are the attempts of its dispatch."""

    status: str
    at: datetime
    error_code: str | None
    tried: tuple[TriedChannelAccount, ...] = ()

    @classmethod
    def of(cls, line: HistoryLine) -> HistoryEntry:
        """Return the view of a line."""
        tried = (
            TriedChannelAccount(each.channel_account_id, each.status, each.code)
            for each in line.tried
        )
        return cls(line.status, line.at, line.error_code, tuple(tried))


@frozen
class StepProgress:
    """The progress of one step of a fallback run (C-51)."""

    channel: str
    message_id: str | None
    status: str
    error_code: str | None

    @classmethod
    def of(cls, step: StepLine, message: MessageRow | None) -> StepProgress:
        """Return the view of a step; a step that was sent has the status of its message."""
        if message is None:
            return cls(step.channel, step.message_id, step.status, step.error_code)
        return cls(step.channel, message.id, message.status, _error_code(message))


@frozen(kw_only=True)
class FallbackProgress:
    """A message's fallback run; a step that was sent has the status of its own message (C-51)."""

    run_id: str
    status: str
    steps: tuple[StepProgress, ...]


@frozen(kw_only=True)
class FollowedMessage:
    """
    A message with its history, without its content (C-23).

    `fallback` is the message's own run; the message of a step has none (D-41).
    """

    message_id: str
    channel: ChannelName
    sender: str = field(repr=False)
    recipient: str = field(repr=False)
    status: str
    direction: str
    created_at: datetime
    updated_at: datetime
    cust_refs: Mapping[str, str] = field(repr=False)
    events: tuple[HistoryEntry, ...]
    fallback: FallbackProgress | None = None

    @classmethod
    def of(
        cls, row: MessageRow, run: FallbackRunRow | None, sent: Mapping[str, MessageRow]
    ) -> FollowedMessage:
        """Return the view of a message with its run; `sent` are the messages of steps."""
        fallback = None
        if run is not None:
            steps = (StepProgress.of(each, sent.get(each.message_id or "")) for each in run.steps)
            fallback = FallbackProgress(run_id=run.id, status=run.status, steps=tuple(steps))
        return cls(
            message_id=row.id,
            channel=row.channel,
            sender=row.sender,
            recipient=row.recipient,
            status=row.status,
            direction=row.direction,
            created_at=row.created_at,
            updated_at=row.updated_at,
            cust_refs=row.cust_refs,
            events=_history(row),
            fallback=fallback,
        )


@frozen(kw_only=True)
class UnknownMessage:
    """An id that is no message of the account (C-7, C-23)."""

    message_id: str
    status: str = "unknown"


@frozen(kw_only=True)
class ReportedMessage:
    """
    A message in the report, without its content.

    `actor` sent the message, or recorded an inbound one. `api_key_name` is the name of the actor's API
    key, if it has one. `run_id` is the message's own fallback run; `sent_by_run` is the run that sent
    it as a step.
    """

    message_id: str
    account_id: str
    channel: ChannelName
    channel_name: str | None
    channel_account_id: str
    resource_type: ResourceType | None
    direction: str
    sender: str = field(repr=False)
    recipient: str = field(repr=False)
    status: str
    error_code: str | None
    campaign: str | None
    cust_refs: Mapping[str, str] = field(repr=False)
    tags: Mapping[str, str] = field(repr=False)
    run_id: str | None
    sent_by_run: str | None
    actor: str | None
    api_key_name: str | None
    created_at: datetime
    updated_at: datetime
    events: tuple[HistoryEntry, ...]

    @classmethod
    def of(
        cls,
        row: MessageRow,
        *,
        channel_account: ChannelAccountRow | None,
        actor: str | None,
        api_key: ApiKeyRow | None,
    ) -> ReportedMessage:
        """Return the view of a row in the report."""
        inbound = row.direction == Direction.INBOUND
        return cls(
            message_id=row.id,
            account_id=row.account_id,
            channel=row.channel,
            channel_name=None if channel_account is None else channel_account.name,
            channel_account_id=row.channel_account_id,
            resource_type=(
                None if inbound else ResourceType(row.resource_type or ResourceType.API)
            ),
            direction=row.direction,
            sender=row.sender,
            recipient=row.recipient,
            status=row.status,
            error_code=_error_code(row),
            campaign=row.campaign,
            cust_refs=row.cust_refs,
            tags={name: tag for name in TAGS if (tag := getattr(row, name)) is not None},
            run_id=row.run_id,
            sent_by_run=row.sent_by_run,
            actor=actor,
            api_key_name=None if api_key is None else api_key.name,
            created_at=row.created_at,
            updated_at=row.updated_at,
            events=_history(row),
        )


def _history(row: MessageRow) -> tuple[HistoryEntry, ...]:
    return tuple(HistoryEntry.of(each) for each in row.events)


def _error_code(row: MessageRow) -> str | None:
    """Return the error code of a message that was rejected or failed."""
    reasons = _REASONS.get(row.status, ())
    codes = [line.error_code for line in row.events if line.status in reasons]
    return codes[-1] if codes else None
