"""Repeat the decisions that a message's events record, each on the state before it (D-157)."""

from __future__ import annotations

from typing import assert_never

from ..decider import Decision, as_the_first
from ..receipt import receipt_in
from .commands import EndMessage, RecordDispatch, TakeMessageReceipt
from .decide import end, record_dispatch, take_receipt
from .events import (
    MessageDispatched,
    MessageEnded,
    MessageReceived,
    MessageReported,
    MessageSubmitted,
)
from .ladder import Ending
from .states import Direction, Message, MessageEvent


def redecide(message: Message | None, event: MessageEvent) -> Decision:
    """Repeat the decision that an event records; the content is not checked again."""
    if message is None or isinstance(event, MessageSubmitted | MessageReceived):
        return as_the_first(message, event)
    match event:
        case MessageDispatched() if message.direction is Direction.OUTBOUND:
            command = RecordDispatch(at=event.at, message_id="", outcome=event.outcome)
            return record_dispatch(message, command)
        # A receipt names its message by the provider's id, or by our reference (D-144).
        case MessageReported() if message.direction is Direction.OUTBOUND:
            receipt = receipt_in(event)
            return take_receipt(message, TakeMessageReceipt(at=event.at, receipt=receipt))
        case MessageEnded() if message.run_id is not None or message.sent_by_run is not None:
            revoked = event.status is Ending.REVOKED
            return end(message, EndMessage(at=event.at, revoked=revoked))
        case MessageDispatched() | MessageReported() | MessageEnded():
            return Decision()
        case _:
            assert_never(event)
