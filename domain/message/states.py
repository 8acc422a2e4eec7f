"""The state of a message: its facts, its status, its history (C-23)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from ..channel import ChannelName, ChannelOutcome, OutcomeStatus, TriedAccount
from ..decider import Decider
from ..receipt import provider_message
from .content import Content
from .events import (
    MessageDispatched,
    MessageEnded,
    MessageReceived,
    MessageReported,
    MessageSubmitted,
    ResourceType,
)
from .ladder import MessageStatus, climbed

FirstMessageEvent = MessageSubmitted | MessageReceived
LaterMessageEvent = MessageDispatched | MessageReported | MessageEnded
MessageEvent = FirstMessageEvent | LaterMessageEvent

# A provider may repeat receipts without end. The stream keeps all of them, the state the newest.
MAX_HISTORY = 100


class Direction(StrEnum):
    """The direction of a message (C-23)."""

    OUTBOUND = "outbound"
    INBOUND = "inbound"


@frozen
class Happened:
    """
    One line of a message's history (C-23): a status, even if it did not change the message's.

    A dispatch has the status of its outcome, `unknown` included, and what was `tried` for it (C-69).
    A receipt has its own time (D-35).
    """

    status: MessageStatus | OutcomeStatus
    at: datetime
    error_code: str | None = None
    tried: tuple[TriedAccount, ...] = ()


@frozen(kw_only=True)
class Message:
    """
    The state of a message.

    `person_id` is the person who receives it, or who sent an inbound one. `content` is what the stream
    keeps of an outbound message. `content_id` names the content that several messages of a call share,
    and `link_codes` replace its marks. `text` is the text of an inbound message. `outcome` is None until
    the dispatch is recorded. `known_as` is the subject of its provider's id, which the message holds.
    """

    account_id: str
    person_id: str
    direction: Direction
    channel: ChannelName
    channel_account_id: str
    sender: str = field(repr=False)
    recipient: str = field(repr=False)
    content: Content | None = None
    content_id: str | None = None
    link_codes: tuple[str, ...] = field(default=(), repr=False)
    text: str | None = field(default=None, repr=False)
    cust_refs: Mapping[str, str] = field(factory=dict, repr=False)
    campaign: str | None = None
    run_id: str | None = None
    sent_by_run: str | None = None
    resource_type: ResourceType = ResourceType.API
    tags: Mapping[str, str] = field(factory=dict, repr=False)
    callback_url: str | None = field(default=None, repr=False)
    status: MessageStatus = MessageStatus.ACCEPTED
    outcome: ChannelOutcome | None = None
    known_as: str | None = None
    history: tuple[Happened, ...] = ()
    created_at: datetime
    updated_at: datetime

    @property
    def doubtful(self) -> bool:
        """Whether it is shown as rejected although its outcome is unknown and no receipt has come (C-68)."""
        return (
            self.status is MessageStatus.REJECTED
            and self.outcome is not None
            and self.outcome.doubtful
        )

    @property
    def taken_by(self) -> str:
        """The channel account that took it, or may have; before the outcome, the planned one (C-69)."""
        outcome = self.outcome
        return self.channel_account_id if outcome is None else _account_of(outcome, self)

    @property
    def on_its_way(self) -> bool:
        """Whether the recipient may still receive the message."""
        return self.status.on_its_way or self.doubtful

    @property
    def rung(self) -> MessageStatus:
        """The step of the ladder from which receipts climb; a doubtful message may have been accepted."""
        return MessageStatus.ACCEPTED if self.doubtful else self.status


def begin(event: FirstMessageEvent) -> Message:
    """Return the state after the first event."""
    match event:
        case MessageSubmitted():
            return _submitted(event)
        case MessageReceived():
            return _received(event)
        case _:
            assert_never(event)


def evolve(message: Message, event: LaterMessageEvent) -> Message:
    """Apply a later event."""
    match event:
        case MessageDispatched():
            return _dispatched(message, event)
        case MessageReported():
            return _moved(
                message,
                climbed(message.rung, event.status),
                Happened(MessageStatus(event.status), event.reported_at, event.error_code),
                event.at,
            )
        case MessageEnded():
            status = MessageStatus(event.status)
            return _moved(message, status, Happened(status, event.at), event.at)
        case _:
            assert_never(event)


def _submitted(event: MessageSubmitted) -> Message:
    return Message(
        account_id=event.account_id,
        person_id=event.person_id,
        direction=Direction.OUTBOUND,
        channel=event.channel,
        channel_account_id=event.channel_account_id,
        sender=event.sender,
        recipient=event.recipient,
        content=event.content,
        content_id=event.content_id,
        link_codes=event.link_codes,
        cust_refs=event.cust_refs,
        campaign=event.campaign,
        run_id=event.run_id,
        sent_by_run=event.sent_by_run,
        resource_type=event.resource_type,
        tags=event.tags,
        callback_url=event.callback_url,
        created_at=event.at,
        updated_at=event.at,
    )


def _dispatched(message: Message, event: MessageDispatched) -> Message:
    outcome = event.outcome
    known_as = message.known_as
    if not outcome.refused and outcome.provider_message_id is not None:
        known_as = provider_message(_account_of(outcome, message), outcome.provider_message_id)
    # An outcome that comes after the arrival or the end changes no status.
    rejected = outcome.refused and message.on_its_way
    # A receipt that came before an unknown outcome is better evidence.
    rejected = rejected or (outcome.doubtful and message.rung is MessageStatus.ACCEPTED)
    return _moved(
        attrs.evolve(message, outcome=outcome, known_as=known_as),
        MessageStatus.REJECTED if rejected else message.rung,
        Happened(outcome.status, event.at, outcome.error_code, outcome.tried),
        event.at,
    )


def _account_of(outcome: ChannelOutcome, message: Message) -> str:
    """Return the channel account of an outcome; what a crash interrupted names none."""
    return outcome.channel_account_id or message.channel_account_id


def _received(event: MessageReceived) -> Message:
    known_as = None
    if event.provider_message_id is not None:
        known_as = provider_message(event.channel_account_id, event.provider_message_id)
    return Message(
        account_id=event.account_id,
        person_id=event.person_id,
        direction=Direction.INBOUND,
        channel=event.channel,
        channel_account_id=event.channel_account_id,
        sender=event.sender,
        recipient=event.recipient,
        text=event.text,
        status=MessageStatus.RECEIVED,
        known_as=known_as,
        history=(Happened(MessageStatus.RECEIVED, event.at),),
        created_at=event.at,
        updated_at=event.at,
    )


def _moved(message: Message, status: MessageStatus, line: Happened, at: datetime) -> Message:
    history = (*message.history, line)[-MAX_HISTORY:]
    return attrs.evolve(message, status=status, history=history, updated_at=at)


message_decider: Decider[Message] = Decider(
    "message",
    begin,
    get_args(FirstMessageEvent),
    evolve,
    get_args(LaterMessageEvent),
)
