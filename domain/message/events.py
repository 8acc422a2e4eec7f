"""The events of a message: one recipient, one channel."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ..channel import ChannelName, ChannelOutcome
from ..event import Event, personal
from ..price import Price
from ..receipt import ReceiptStatus
from .content import Content
from .ladder import Ending


class ResourceType(StrEnum):
    """The way by which a message was submitted (C-62)."""

    API = "api"
    LEGACY = "legacy"


@frozen(kw_only=True)
class MessageSubmitted(Event):
    """
    A message was accepted from its caller, before any dispatch.

    `content` is None if it carries a code (C-23), if the message was rejected without a try, or if
    several messages share it. A shared content is stored under `content_id`, and `link_codes` replace
    its marks (C-94). The personal fields of a content are marked there. `run_id` is the message's own
    fallback run; `sent_by_run` is the run that sends it as a step. Searches find it by `tags` (`tag1`
    to `tag3`). Its sender's callbacks go to `callback_url`. A URL's path may be its only protection
    against strangers, so it is masked like personal fields.
    """

    SCHEMA = 3

    account_id: str
    channel: ChannelName
    channel_account_id: str
    sender: str
    recipient: str = personal()
    content: Content | None
    cust_refs: Mapping[str, str] = personal(factory=dict)
    campaign: str | None = None
    run_id: str | None = None
    sent_by_run: str | None = None
    resource_type: ResourceType = ResourceType.API
    tags: Mapping[str, str] = personal(factory=dict)
    callback_url: str | None = personal(default=None)
    content_id: str | None = None
    link_codes: tuple[str, ...] = personal(default=())


@frozen(kw_only=True)
class MessageDispatched(Event):
    """The message was handed to its provider, or rejected before that; `unknown` without an answer."""

    SCHEMA = 2

    outcome: ChannelOutcome


@frozen(kw_only=True)
class MessageReported(Event):
    """A provider reported on the message; `reported_at` is the provider's time, as in `Receipt`."""

    SCHEMA = 2

    status: ReceiptStatus
    error_code: str | None = None
    reported_at: datetime
    segments: int | None = None
    price: Price | None = None


@frozen(kw_only=True)
class MessageEnded(Event):
    """The fallback run ended the message before it arrived (C-50)."""

    status: Ending


@frozen(kw_only=True)
class MessageReceived(Event):
    """
    A person sent a message to the account; it has a stream of its own.

    `sender` is the person, `recipient` the number or name that the person wrote to.
    """

    account_id: str
    channel: ChannelName
    channel_account_id: str
    provider_message_id: str | None = personal(default=None)
    sender: str = personal()
    recipient: str
    text: str = personal()
