"""The decisions on a message: C-22, C-23, C-50, C-64."""

from __future__ import annotations

from datetime import datetime

from ..conditions import Condition, SoleHolder
from ..decider import Decision
from ..provider_codes import code_about
from ..receipt import Receipt, provider_message
from .commands import (
    EndMessage,
    ReceiveMessage,
    RecordDispatch,
    SubmitMessage,
    TakeMessageReceipt,
)
from .content import carries_code
from .events import (
    MessageDispatched,
    MessageEnded,
    MessageReceived,
    MessageReported,
    MessageSubmitted,
)
from .ladder import Ending
from .states import Direction, Message


def submit(command: SubmitMessage) -> Decision:
    """Record a message; a content that carries a code is not recorded (C-23)."""
    content = command.content
    if content is not None and (command.carries_code or carries_code(content)):
        content = None
    submitted = MessageSubmitted(
        at=command.at,
        account_id=command.account_id,
        channel=command.channel,
        channel_account_id=command.channel_account_id,
        sender=command.sender,
        recipient=command.recipient,
        content=content,
        cust_refs=command.cust_refs,
        campaign=command.campaign,
        run_id=command.run_id,
        sent_by_run=command.sent_by_run,
        resource_type=command.resource_type,
        tags=command.tags,
        callback_url=command.callback_url,
        content_id=command.content_id,
        link_codes=command.link_codes,
    )
    return Decision((submitted,))


def record_dispatch(message: Message, command: RecordDispatch) -> Decision:
    """
    Record the outcome, and the receipts that arrived before it; nothing if the outcome is known.

    A message that its provider accepted, or may have, becomes the only holder of its provider's id; the
    streams in `retiring` give it up (C-22). A known outcome that follows an unknown one is recorded,
    and the message then holds its id.
    """
    outcome = command.outcome
    earlier = message.outcome
    recovered = not outcome.known and not outcome.doubtful
    if earlier is not None and (earlier.known or recovered):
        return Decision()
    conditions: tuple[Condition, ...] = ()
    if not outcome.refused and outcome.provider_message_id is not None:
        taken_by = outcome.channel_account_id or message.channel_account_id
        subject = provider_message(taken_by, outcome.provider_message_id)
        conditions = (SoleHolder(subject, command.message_id, command.retiring),)
    return Decision(
        (
            MessageDispatched(at=command.at, outcome=outcome),
            *(_reported(message, command.at, receipt) for receipt in command.parked),
        ),
        conditions,
    )


def take_receipt(message: Message, command: TakeMessageReceipt) -> Decision:
    """Record a receipt, even if it changes nothing (C-22); inbound messages have none."""
    if message.direction is Direction.INBOUND:
        return Decision()
    return Decision((_reported(message, command.at, command.receipt),))


def end(message: Message, command: EndMessage) -> Decision:
    """End a message that is still on its way; other messages stay unchanged."""
    if not message.on_its_way:
        return Decision()
    status = Ending.REVOKED if command.revoked else Ending.EXPIRED
    return Decision((MessageEnded(at=command.at, status=status),))


def receive(command: ReceiveMessage) -> Decision:
    """
    Record an inbound message.

    The message becomes the only holder of its provider's id. The store therefore refuses a repeated
    report, which needs no further work.
    """
    received = MessageReceived(
        at=command.at,
        account_id=command.account_id,
        channel=command.channel,
        channel_account_id=command.channel_account_id,
        provider_message_id=command.provider_message_id,
        sender=command.sender,
        recipient=command.recipient,
        text=command.text,
    )
    if command.provider_message_id is None:
        return Decision((received,))
    subject = provider_message(command.channel_account_id, command.provider_message_id)
    return Decision((received,), (SoleHolder(subject, command.message_id),))


def _reported(message: Message, at: datetime, receipt: Receipt) -> MessageReported:
    code = receipt.error_code
    return MessageReported(
        at=at,
        status=receipt.status,
        error_code=None if code is None else code_about(code, message.recipient),
        reported_at=receipt.reported_at,
        segments=receipt.segments,
        price=receipt.price,
    )
