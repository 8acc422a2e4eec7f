"""
The facts of a PIN that the statistics need, and how its events change them.

Times are microseconds since 1970: the follower of the log makes millions of them. Nothing here is about
a person.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from ..channel import OutcomeStatus
from ..message.ladder import MessageStatus, climbed
from ..price import Price
from ..receipt import ReceiptStatus

# On Python 3.11, each access to a member of an enumeration is a call.
_ACCEPTED, _UNKNOWN = OutcomeStatus.ACCEPTED, OutcomeStatus.UNKNOWN


class End(StrEnum):
    """How a PIN ended before its expiry. One of no such end expires."""

    VERIFIED = "verified"
    BLOCKED = "blocked"
    SUPERSEDED = "superseded"
    ERASED = "erased"


_VERIFIED, _BLOCKED, _SUPERSEDED, _ERASED = End


class OnChannel(NamedTuple):
    """
    One channel of a send.

    `status` is None before the outcome is recorded. `heard` is the status after the receipts. `segments`
    and `price` are those that the provider tells, the latest of each; `rate` is the price of a segment
    by the list of the channel account.
    """

    channel: str
    status: OutcomeStatus | None = None
    channel_account_id: str | None = None
    provider: str | None = None
    heard: MessageStatus | None = None
    segments: int | None = None
    price: Price | None = None
    rate: Price | None = None

    @property
    def accepted(self) -> bool:
        """Whether the provider has the code: it said so, or sent a receipt for an unknown outcome."""
        return self.status is _ACCEPTED or (self.status is _UNKNOWN and self.heard is not None)

    @property
    def delivered(self) -> bool:
        """Whether a receipt says that the recipient has the code."""
        return self.heard is MessageStatus.DELIVERED or self.heard is MessageStatus.READ


class Send(NamedTuple):
    """One send of a code: the first, or a resend."""

    at: int
    expires_at: int
    channels: tuple[OnChannel, ...]


class PinFacts(NamedTuple):
    """A PIN: its sends in order, and how it ended."""

    account_id: str
    template_id: str
    country: str | None
    test: bool
    sends: tuple[Send, ...]
    end: End | None = None
    ended_at: int = 0


def issued(
    account_id: str,
    template_id: str,
    country: str | None,
    *,
    test: bool,
    at: int,
    expires_at: int,
    channels: Iterable[str],
) -> PinFacts:
    """Return the facts of a new PIN."""
    send = Send(at, expires_at, tuple(map(OnChannel, channels)))
    return PinFacts(account_id, template_id, country, test, (send,))


def resent(pin: PinFacts, at: int, expires_at: int, channels: Iterable[str]) -> PinFacts:
    """Return the facts after a resend, which begins the life of a code anew."""
    send = Send(at, expires_at, tuple(map(OnChannel, channels)))
    return pin._replace(sends=(*pin.sends, send), end=None, ended_at=0)


def dispatched(
    pin: PinFacts, issue: int, outcomes: Iterable[OnChannel], *, may_arrive: bool
) -> PinFacts:
    """
    Return the facts after the outcomes of a send were recorded.

    A PIN that another superseded before its own outcome was known is live again if its code
    `may_arrive` (D-144).
    """
    send = pin.sends[issue - 1]
    before = {each.channel: each for each in send.channels}
    channels = tuple([_explained(each, before.get(each.channel)) for each in outcomes])
    after = _with_send(pin, issue, Send(send.at, send.expires_at, channels))
    if may_arrive and pin.end is _SUPERSEDED and issue == len(pin.sends):
        return after._replace(end=None, ended_at=0)
    return after


def reported(
    pin: PinFacts,
    issue: int,
    channel: str,
    status: ReceiptStatus,
    segments: int | None = None,
    price: Price | None = None,
) -> PinFacts:
    """Return the facts after a receipt; one that is lower or repeated tells segments and price alone."""
    send = pin.sends[issue - 1]
    channels = tuple(
        [
            each._replace(
                heard=climbed(each.heard or MessageStatus.ACCEPTED, status),
                segments=each.segments if segments is None else segments,
                price=each.price if price is None else price,
            )
            if each.channel == channel
            else each
            for each in send.channels
        ]
    )
    return _with_send(pin, issue, Send(send.at, send.expires_at, channels))


def verified(pin: PinFacts, at: int) -> PinFacts:
    """Return the facts after the right code."""
    # Made anew, because `_replace` takes four times as long, and nearly every PIN comes here.
    account_id, template_id, country, test, sends, _, _ = pin
    return PinFacts(account_id, template_id, country, test, sends, _VERIFIED, at)


def blocked(pin: PinFacts) -> PinFacts:
    """Return the facts after the last wrong code."""
    return pin._replace(end=_BLOCKED)


def superseded(pin: PinFacts) -> PinFacts:
    """Return the facts after a later PIN took the place of this one."""
    return pin._replace(end=_SUPERSEDED)


def erased(pin: PinFacts) -> PinFacts:
    """Return the facts after the erasure of the person; what became of the PIN before stays counted."""
    return pin if pin.end is _VERIFIED or pin.end is _BLOCKED else pin._replace(end=_ERASED)


def _explained(outcome: OnChannel, before: OnChannel | None) -> OnChannel:
    """Return an outcome with what receipts said before it was recorded (C-68)."""
    if before is None or before.heard is None:
        return outcome
    return outcome._replace(
        heard=before.heard,
        segments=outcome.segments if before.segments is None else before.segments,
        price=outcome.price if before.price is None else before.price,
    )


def _with_send(pin: PinFacts, issue: int, send: Send) -> PinFacts:
    account_id, template_id, country, test, sends, end, ended_at = pin
    sends = (send,) if len(sends) == 1 else (*sends[: issue - 1], send, *sends[issue:])
    return PinFacts(account_id, template_id, country, test, sends, end, ended_at)
