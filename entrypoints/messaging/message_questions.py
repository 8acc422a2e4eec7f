"""What callers and embedders ask of the messages that there are (C-23, C-59)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, TypeVar

from attrs import field, frozen

from ...application.messages.looking_up.following_messages import HistorySearch
from ...application.messages.looking_up.searching_messages import MessageSearch
from ...application.paging import DEFAULT_PAGE_SIZE
from ...domain.channel import Channel
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.limits import Entries
from ...domain.message import Direction, MessageStatus, ResourceType
from ..wire.structuring import structure
from ..wire.typed_requests import channel_named

T = TypeVar("T")

MAX_STATUS_IDS = 100
TAGS = ("tag1", "tag2", "tag3")


def not_negative(_instance: object, _attribute: object, number: int) -> None:
    """Check that a page or a limit can be one."""
    if number < 0:
        raise ValueError("must not be negative")


@frozen(kw_only=True)
class StatusQuestion:
    """The body of a status check."""

    message_ids: tuple[str, ...] = field(validator=Entries(1, MAX_STATUS_IDS))


@frozen(kw_only=True)
class HistoryQuestion:
    """A page of a history: what it is narrowed to, and which page, counted from 0 (C-59)."""

    recipient: str | None = field(default=None, repr=False)
    channel: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    page_no: int = field(default=0, validator=not_negative)
    limit: int = field(default=DEFAULT_PAGE_SIZE, validator=not_negative)

    @property
    def search(self) -> HistorySearch:
        """What it is narrowed to, with the channel by the name of every answer (C-45)."""
        return HistorySearch(
            recipient=self.recipient,
            channel=self.channel and channel_named(self.channel),
            since=self.since,
            until=self.until,
        )


@frozen(kw_only=True)
class MessageFilters:
    """What a search of messages is narrowed to; `since` and `until` are the wire's `from` and `to`."""

    account: str | None = None
    recipient: str | None = field(default=None, repr=False)
    reference: str | None = field(default=None, repr=False)
    status: MessageStatus | None = None
    direction: Direction | None = None
    channel_type: str | None = None
    channel_name: str | None = None
    resource_type: ResourceType | None = None
    tag1: str | None = None
    tag2: str | None = None
    tag3: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def search(self, account_id: str | None, *, small: bool = False) -> MessageSearch:
        """
        Give the search in an account, or in all.

        Raises `ValidationFailedError` for a search in all by anything but time, unless the store is
        known to be `small`: there is no index for it (D-79).
        """
        search = MessageSearch(
            account_id=account_id,
            recipient=self.recipient,
            reference=self.reference,
            status=self.status,
            direction=self.direction,
            channel=self.channel_type and channel_named(self.channel_type),
            channel_name=self.channel_name,
            resource_type=self.resource_type,
            tags={name: tag for name in TAGS if (tag := getattr(self, name))},
            since=self.since,
            until=self.until,
        )
        by_time = MessageSearch(since=self.since, until=self.until)
        if account_id is None and search != by_time and not small:
            raise ValidationFailedError(
                [FieldProblem("account", "is required beside other filters than from and to")]
            )
        return search


def history_question(given: Mapping[str, Any], third_parties: Collection[str]) -> HistoryQuestion:
    """
    Read what a history is asked for.

    `third_parties` are channels beside those of everybody (C-52). Raises `ValidationFailedError`
    naming every wrong field, a channel that is none included (D-41).
    """
    return _question(given, HistoryQuestion, "channel", third_parties)


def report_question(given: Mapping[str, Any], third_parties: Collection[str]) -> MessageFilters:
    """Read what a search of messages is narrowed to, as `history_question` reads."""
    return _question(given, MessageFilters, "channelType", third_parties)


def _question(
    given: Mapping[str, Any], kind: type[T], channel_at: str, third_parties: Collection[str]
) -> T:
    known = [*Channel, *sorted(third_parties)]
    channel = given.get(channel_at)
    problems = []
    if isinstance(channel, str) and channel_named(channel) not in known:
        problems.append(FieldProblem(channel_at, f"must be one of {', '.join(known)}"))
    try:
        question = structure(given, kind)
    except ValidationFailedError as refusal:
        raise ValidationFailedError([*refusal.problems, *problems]) from None
    if problems:
        raise ValidationFailedError(problems)
    return question
