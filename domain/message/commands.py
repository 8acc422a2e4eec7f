"""What a message is asked to do; every fact a decision needs travels inside (design section 2)."""

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
    Take a message in.

    `recipient` has the prefix of the send already (`destination.prefixed`, C-28). `carries_code` is
    what the content alone does not tell: that its template, or another part of its send, has a code.
    `content` is None where nothing of it is to be kept with the message; `content_id` is the one that
    it shares with others, and `link_codes` are what it says in place of the marks there.
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
    Take down how the provider took the message `message_id`.

    Where receipts were parked for its provider id, `parked` are they and `retiring` is the id of
    their stream; the store's refusal names it. Where another *message* holds the provider's id, the
    provider gave an id twice: leave it out of the outcome, and the receipts go to the first (D-37).
    """

    at: datetime
    message_id: str
    outcome: ChannelOutcome
    parked: tuple[Receipt, ...] = ()
    retiring: frozenset[str] = frozenset()


@value(kw_only=True)
class TakeMessageReceipt:
    """Take down a provider's receipt."""

    at: datetime
    receipt: Receipt


@value(kw_only=True)
class EndMessage:
    """End a message for its fallback's sake; `revoked` is whether its channel took it back."""

    at: datetime
    revoked: bool


@value(kw_only=True)
class ReceiveMessage:
    """Take down a message `message_id` that came in."""

    at: datetime
    message_id: str
    account_id: str
    channel: ChannelName
    channel_account_id: str
    provider_message_id: str | None = None
    sender: str = field(repr=False)
    recipient: str
    text: str = field(repr=False)
