"""Commands of a message; each carries every fact that its decision needs (design section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from attrs import field

from ..channel import ChannelName, ChannelOutcome
from ..receipt import Receipt
from ..value import value
from .content import Content
from .events import ResourceType


@value(kw_only=True)
class SubmitMessage:
    """
    Record a message before its dispatch.

    `recipient` includes the prefix of the send (`destination.prefixed`, C-28). `carries_code` is true
    if the message has a code that its content alone does not show: its template or another part of its
    send has one. `content` is None if the message keeps no content of its own. `content_id` names a
    content that several messages share, and `link_codes` replace its marks in this message.
    """

    at: datetime
    account_id: str
    channel: ChannelName
    channel_account_id: str
    sender: str
    recipient: str = field(repr=False)
    content: Content | None
    carries_code: bool = False
    cust_refs: Mapping[str, str] = field(factory=dict, repr=False)
    campaign: str | None = None
    run_id: str | None = None
    sent_by_run: str | None = None
    resource_type: ResourceType = ResourceType.API
    tags: Mapping[str, str] = field(factory=dict, repr=False)
    callback_url: str | None = field(default=None, repr=False)
    content_id: str | None = None
    link_codes: tuple[str, ...] = field(default=(), repr=False)


@value(kw_only=True)
class RecordDispatch:
    """
    Record the outcome of the dispatch of message `message_id`.

    The store's refusal names the stream of receipts that are parked for the provider's id: pass them as
    `parked`, and the stream's id in `retiring`. If another *message* holds the provider's id, the
    provider used it twice: leave it out of the outcome, and the first message gets all receipts (D-37).
    """

    at: datetime
    message_id: str
    outcome: ChannelOutcome
    parked: tuple[Receipt, ...] = ()
    retiring: frozenset[str] = frozenset()


@value(kw_only=True)
class TakeMessageReceipt:
    """Record a provider's receipt."""

    at: datetime
    receipt: Receipt


@value(kw_only=True)
class EndMessage:
    """End a message for its fallback run; `revoked` is whether its channel took it back."""

    at: datetime
    revoked: bool


@value(kw_only=True)
class ReceiveMessage:
    """Record an inbound message `message_id`."""

    at: datetime
    message_id: str
    account_id: str
    channel: ChannelName
    channel_account_id: str
    provider_message_id: str | None = field(default=None, repr=False)
    sender: str = field(repr=False)
    recipient: str
    text: str = field(repr=False)
