"""Messages as searches, status and history show them (C-23, C-37, C-51)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from msgspec import Raw, field, json

from .pins import Attempt
from .wire import CamelWire, Wire

ChannelFilter = Literal["sms", "whatsapp", "rcs", "email"]
MessageStatus = Literal[
    "accepted",
    "sent",
    "delivered",
    "read",
    "failed",
    "rejected",
    "expired",
    "revoked",
    "received",
]


class PageDetails(CamelWire, frozen=True, kw_only=True):
    """The page that was asked for; the first is 0."""

    page_no: int
    limit: int


class MessageEvent(CamelWire, frozen=True, kw_only=True):
    """A step of a message's life; `status` may also be `unknown`."""

    status: str
    at: datetime
    error_code: str | None = None
    tried: tuple[Attempt, ...] = ()


class FallbackStep(CamelWire, frozen=True, kw_only=True):
    """A step of a fallback, and the message that it sent."""

    channel: str
    status: str
    message_id: str | None = None
    error_code: str | None = None


class MessageFallback(CamelWire, frozen=True, kw_only=True):
    """The fallback of a message: `armed`, `fired`, `stood_down` or `rejected`."""

    run_id: str
    status: str
    steps: tuple[FallbackStep, ...]


class Message(CamelWire, frozen=True, kw_only=True):
    """A message, sent or received, and its history."""

    message_id: str
    channel: str
    sender: str
    recipient: str
    status: str
    direction: str
    created_at: datetime
    updated_at: datetime
    cust_refs: dict[str, str]
    events: tuple[MessageEvent, ...]
    fallback: MessageFallback | None = None


class UnknownMessage(CamelWire, frozen=True, kw_only=True):
    """An id of which the account has no message; `status` is `unknown`."""

    message_id: str
    status: str


class CheckStatus(CamelWire, frozen=True, kw_only=True):
    """The body of a status check: 1 to 100 ids."""

    message_ids: Sequence[str]


class MessageStatuses(CamelWire, frozen=True, kw_only=True):
    """The answer to a status check, whose entries `followed` reads."""

    status: str
    data: tuple[Raw, ...]


class _Standing(CamelWire, frozen=True, kw_only=True):
    status: str


def followed(statuses: MessageStatuses) -> tuple[Message | UnknownMessage, ...]:
    """Return the messages of a status check, in the order of the ids."""
    return tuple(_followed(each) for each in statuses.data)


def _followed(entry: Raw) -> Message | UnknownMessage:
    unknown = json.decode(entry, type=_Standing).status == "unknown"
    return json.decode(entry, type=UnknownMessage) if unknown else json.decode(entry, type=Message)


class ListHistory(CamelWire, frozen=True, kw_only=True):
    """The parameters of a history."""

    recipient: str | None = None
    channel: ChannelFilter | None = None
    since: datetime | None = field(default=None, name="from")
    until: datetime | None = field(default=None, name="to")
    page_no: int | None = None
    limit: int | None = None


class MessageHistory(Wire, frozen=True, kw_only=True):
    """A page of a history."""

    page_details: PageDetails
    messages: tuple[Message, ...] = field(name="data")


class SearchMessages(CamelWire, frozen=True, kw_only=True):
    """The filters of a search for messages."""

    recipient: str | None = None
    reference: str | None = None
    status: MessageStatus | None = None
    direction: Literal["outbound", "inbound"] | None = None
    channel: ChannelFilter | None = None
    channel_type: ChannelFilter | None = None
    channel_name: str | None = None
    resource_type: Literal["api", "legacy"] | None = None
    tag1: str | None = None
    tag2: str | None = None
    tag3: str | None = None
    since: datetime | None = field(default=None, name="from")
    until: datetime | None = field(default=None, name="to")
    page: int | None = None
    page_size: int | None = None


class ReportedMessage(CamelWire, frozen=True, kw_only=True):
    """A message as the delivery report shows it."""

    message_id: str
    account_id: str
    channel_type: str
    channel_name: str | None
    channel_account_id: str
    resource_type: str | None
    direction: str
    sender: str
    recipient: str
    status: str
    error_code: str | None
    campaign_name: str | None
    cust_refs: dict[str, str]
    tags: dict[str, str]
    fallback_run_id: str | None
    sent_by_run_id: str | None
    actor: str | None
    api_key_name: str | None
    created_at: datetime
    updated_at: datetime
    events: tuple[MessageEvent, ...]


class ReportedMessagePage(CamelWire, frozen=True, kw_only=True):
    """A page of the delivery report; the first page is 1."""

    page: int
    page_size: int
    total: int
    total_pages: int
    total_is_exact: bool
    messages: tuple[ReportedMessage, ...] = field(name="data")
