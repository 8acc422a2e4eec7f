"""
Parked receipts: reports on a message that is not known yet, kept for 24 h (C-22).

A provider's id has one holder: the message, or the receipts parked for it. The store refuses the second
to come, and its refusal names the first. If the message comes second, it records the parked receipts.
If a receipt comes second, the message records it. So a receipt counts exactly once, in any order.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from .conditions import Release, SoleHolder
from .decider import Decider, Decision, as_the_first
from .event import ERASED, Event, personal
from .price import Price
from .receipt import Receipt, ReceiptStatus, provider_message, receipt_in
from .value import value

PARKED_FOR = timedelta(hours=24)
# More receipts for an unknown id are repetitions by the provider.
MAX_WAITING = 16


@frozen(kw_only=True)
class ReceiptParked(Event):
    """
    A receipt arrived for an id that no message has yet; one stream can hold several.

    Its code is personal: whether it holds a number shows only when the message is known.
    """

    channel_account_id: str
    provider_message_id: str = personal()
    status: ReceiptStatus
    error_code: str | None = personal(default=None)
    reported_at: datetime
    segments: int | None = None
    price: Price | None = None


@frozen(kw_only=True)
class ReceiptMatched(Event):
    """
    The id appeared: its `holder`, a message or a PIN (C-23), records the receipts in the same append.

    That append drops the key of the stream, so nothing opens what the receipts said (D-358).
    """

    holder: str


@frozen(kw_only=True)
class ReceiptDropped(Event):
    """No message appeared within 24 hours, so the parked receipts were dropped, and their key with them."""


ParkedReceiptEvent = ReceiptParked | ReceiptMatched | ReceiptDropped


@value(kw_only=True)
class ParkReceipt:
    """
    Keep a receipt until its message appears, on the stream `parked_id`.

    `retiring` has a stream that takes no more receipts and yet holds the id, as after the loss of its key.
    """

    at: datetime
    parked_id: str
    channel_account_id: str
    provider_message_id: str = field(repr=False)
    receipt: Receipt
    retiring: frozenset[str] = frozenset()


@value(kw_only=True)
class MatchReceipt:
    """Hand the parked receipts to `holder`, the message or PIN with the provider's id."""

    at: datetime
    holder: str


@value(kw_only=True)
class DropReceipt:
    """Drop the receipts of the stream `parked_id`, if their 24 hours are over."""

    at: datetime
    parked_id: str


@frozen(kw_only=True)
class ParkedReceipt:
    """
    The receipts that wait for the message of one provider's id.

    `receipts` are in order of arrival; the tuple is empty once they were matched or dropped. The key of the
    stream goes with them, so the state has the provider's id no more, and nothing is parked on the stream
    again (D-358). `drop_at` is 24 h after the newest.
    """

    channel_account_id: str
    provider_message_id: str = field(repr=False)
    receipts: tuple[Receipt, ...]
    drop_at: datetime | None
    updated_at: datetime

    @property
    def subject(self) -> str:
        """The subject that this stream holds while it has receipts."""
        return provider_message(self.channel_account_id, self.provider_message_id)

    @property
    def takes_more(self) -> bool:
        """Whether receipts wait here, and the stream's key is there to seal another one."""
        return bool(self.receipts) and self.provider_message_id != ERASED


def park(command: ParkReceipt) -> Decision:
    """
    Add a receipt to those that are parked.

    No other stream may hold the id. The store's refusal names the holder: the message, which then
    records the receipt itself, or the stream of another parked receipt, on which the caller parks this
    one.
    """
    parked = ReceiptParked(
        at=command.at,
        channel_account_id=command.channel_account_id,
        provider_message_id=command.provider_message_id,
        status=command.receipt.status,
        error_code=command.receipt.error_code,
        reported_at=command.receipt.reported_at,
        segments=command.receipt.segments,
        price=command.receipt.price,
    )
    subject = provider_message(command.channel_account_id, command.provider_message_id)
    return Decision((parked,), (SoleHolder(subject, command.parked_id, command.retiring),))


def match(parked: ParkedReceipt, command: MatchReceipt) -> Decision:
    """
    Hand over the parked receipts, once.

    The message takes over the subject by its own condition in the same append:
    `message.record_dispatch` takes `parked.receipts`, and this stream's id in `retiring`.
    """
    if not parked.receipts:
        return Decision()
    return Decision((ReceiptMatched(at=command.at, holder=command.holder),))


def drop(parked: ParkedReceipt, command: DropReceipt) -> Decision:
    """Drop receipts parked for 24 h; nothing happens if a newer one is parked, or none is."""
    if parked.drop_at is None or command.at < parked.drop_at:
        return Decision()
    return Decision((ReceiptDropped(at=command.at),), (Release(parked.subject, command.parked_id),))


def begin(event: ReceiptParked) -> ParkedReceipt:
    """Return the state after the first event."""
    return _parked((), event)


def evolve(parked: ParkedReceipt, event: ParkedReceiptEvent) -> ParkedReceipt:
    """Apply a later event."""
    match event:
        case ReceiptParked():
            return _parked(parked.receipts, event)
        case ReceiptMatched() | ReceiptDropped():
            return attrs.evolve(
                parked,
                provider_message_id=ERASED,
                receipts=(),
                drop_at=None,
                updated_at=event.at,
            )
        case _:
            assert_never(event)


def _parked(before: tuple[Receipt, ...], event: ReceiptParked) -> ParkedReceipt:
    receipt = receipt_in(event)
    return ParkedReceipt(
        channel_account_id=event.channel_account_id,
        provider_message_id=event.provider_message_id,
        receipts=(*before, receipt)[-MAX_WAITING:],
        drop_at=event.at + PARKED_FOR,
        updated_at=event.at,
    )


def redecide(parked: ParkedReceipt | None, event: ParkedReceiptEvent) -> Decision:
    """Repeat the decision that an event records (D-157); all receipts of a stream have one provider's id."""
    if parked is None:
        return as_the_first(parked, event)
    match event:
        case ReceiptParked():
            waits_for = provider_message(event.channel_account_id, event.provider_message_id)
            fits = bool(parked.receipts) and parked.subject == waits_for
            return Decision((event,)) if fits else Decision()
        case ReceiptMatched():
            return match(parked, MatchReceipt(at=event.at, holder=event.holder))
        case ReceiptDropped():
            return drop(parked, DropReceipt(at=event.at, parked_id=""))
        case _:
            assert_never(event)


parked_receipt_decider: Decider[ParkedReceipt] = Decider(
    "parked_receipt", begin, (ReceiptParked,), evolve, get_args(ParkedReceiptEvent)
)
