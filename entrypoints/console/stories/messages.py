"""The events of messages, shared contents, receipts and short links in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....domain.channel import OutcomeStatus
from ....domain.event import Event
from ....domain.message import (
    Ending,
    MessageDispatched,
    MessageEnded,
    MessageReceived,
    MessageReported,
    MessageSubmitted,
)
from ....domain.parked_receipt import ReceiptDropped, ReceiptMatched, ReceiptParked
from ....domain.receipt import ReceiptStatus
from ....domain.shared_content import ContentSubmitted
from ....domain.short_link import (
    ShortLinkClicked,
    ShortLinkCreated,
    ShortLinkDisabled,
    ShortLinkEnabled,
)
from .telling import Told, bad, because, channel_words, counted, good, priced, warn


def _submitted(event: MessageSubmitted) -> Told:
    channel = channel_words(event.channel)
    if event.sent_by_run is not None:
        return Told(f"The fallback run made a message by {channel}.")
    after = ", with a fallback behind it" if event.run_id is not None else ""
    return Told(f"A message by {channel} was accepted from its caller{after}.")


def _dispatched(event: MessageDispatched) -> Told:
    outcome = event.outcome
    tried = len(outcome.tried)
    after = f", after {counted(tried, 'attempt')}" if tried > 1 else ""
    match outcome.status:
        case OutcomeStatus.ACCEPTED:
            said = f"The provider took the message{after}."
            return good(said + priced(outcome.segments, outcome.price))
        case OutcomeStatus.REJECTED:
            return bad(f"The message was rejected{because(outcome.error_code)}{after}.")
        case _:
            return warn(f"Nobody knows whether the provider took the message{after}.")


def _reported(event: MessageReported) -> Told:
    sentence = f"The provider reports the message as {event.status}{because(event.error_code)}."
    sentence += priced(event.segments, event.price)
    if event.status is ReceiptStatus.FAILED:
        return bad(sentence)
    return good(sentence) if event.status.arrived else Told(sentence)


def _ended(event: MessageEnded) -> Told:
    if event.status is Ending.REVOKED:
        return Told("The provider revoked the message, because its fallback takes over.")
    return Told("The message did not arrive in time. Its fallback takes over.")


def _parked(event: ReceiptParked) -> Told:
    return warn(f"A receipt came for a message that is not known yet. It says {event.status}.")


MESSAGE_STORIES: Mapping[type[Event], Any] = {
    ContentSubmitted: lambda _: Told("A content was stored for the messages of one call."),
    MessageSubmitted: _submitted,
    MessageReceived: lambda event: Told(
        f"A person wrote to the account by {channel_words(event.channel)}."
    ),
    MessageDispatched: _dispatched,
    MessageReported: _reported,
    MessageEnded: _ended,
    ReceiptParked: _parked,
    ReceiptMatched: lambda _: good("The message of the waiting receipts is known now."),
    ReceiptDropped: lambda _: warn(
        "No message came for the receipts in 24 hours. They were dropped."
    ),
    ShortLinkCreated: lambda _: Told("A short link was made for a message."),
    ShortLinkClicked: lambda event: good(
        f"The short link was followed; that makes {counted(event.clicks, 'click')}."
    ),
    ShortLinkDisabled: lambda _: warn("The short link was disabled. It leads nowhere now."),
    ShortLinkEnabled: lambda _: good("The short link was enabled again."),
}
