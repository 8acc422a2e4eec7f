"""Channels, and the outcome of a send on one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Literal, get_args

from attrs import evolve, frozen

from .event import personal
from .price import Price

PROVIDER_TIMEOUT = "provider_timeout"
PROVIDER_UNKNOWN = "provider_unknown"
DISPATCH_INTERRUPTED = "dispatch_interrupted"

# A member of `Channel`, or the name under which a third-party adapter is registered (C-52).
ChannelName = str


class Channel(StrEnum):
    """The channels, by the names that every answer uses (C-45)."""

    SMS = "sms"
    WHATSAPP = "whatsapp"
    RCS = "rcs"
    EMAIL = "email"


MESSAGE_CHANNELS = (Channel.SMS, Channel.WHATSAPP, Channel.RCS)
PinChannel = Literal[Channel.SMS, Channel.WHATSAPP, Channel.EMAIL]
PIN_CHANNELS: tuple[PinChannel, ...] = get_args(PinChannel)


def with_adapters(channels: Iterable[Channel], adapters: Collection[str]) -> tuple[str, ...]:
    """Return the names of channels, with the registered third-party adapters after them (C-52)."""
    names = tuple(map(str, channels))
    return (*names, *sorted(set(adapters) - {*names}))


class OutcomeStatus(StrEnum):
    """The outcome of one send. `unknown` means that nobody knows it; it is no rejection (C-15, C-68)."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNKNOWN = "unknown"


# On Python 3.11, each access to a member of an enumeration is a call. A send makes ten of them.
_ACCEPTED = OutcomeStatus.ACCEPTED
_REJECTED = OutcomeStatus.REJECTED
_UNKNOWN = OutcomeStatus.UNKNOWN


@frozen
class TriedAccount:
    """One attempt of a send: its channel account, its outcome, and a code unless it was accepted."""

    channel_account_id: str
    status: OutcomeStatus
    code: str | None = None


@frozen(kw_only=True)
class ChannelOutcome:
    """
    The outcome of a send on one channel, with an error code and message unless it was accepted.

    Providers quote numbers in their texts, and some make their ids of numbers, so both are personal (C-73).
    `channel_account_id` is the account that took it. `tried` has every attempt in order; it is empty
    if the first account took it, or if no other could (D-225). `segments` and `price` are those that
    the provider counts (C-72). `rate` is the price of a segment by the list of the channel account (D-408).
    """

    channel: ChannelName
    channel_account_id: str | None = None
    status: OutcomeStatus
    provider_message_id: str | None = personal(default=None)
    error_code: str | None = None
    error_message: str | None = personal(default=None)
    tried: tuple[TriedAccount, ...] = ()
    segments: int | None = None
    price: Price | None = None
    rate: Price | None = None

    @property
    def asked(self) -> frozenset[str]:
        """The channel accounts that were asked to send; none is known of what a crash interrupted."""
        own = () if self.channel_account_id is None else (self.channel_account_id,)
        return frozenset((*own, *[each.channel_account_id for each in self.tried]))

    @property
    def accepted(self) -> bool:
        """Whether the provider took the message."""
        return self.status is _ACCEPTED

    @property
    def refused(self) -> bool:
        """Whether the provider certainly did not take the message (C-68)."""
        return self.status is _REJECTED

    @property
    def doubtful(self) -> bool:
        """Whether the outcome is unknown and the caller was answered so (C-68)."""
        return self.status is _UNKNOWN and self.error_code != DISPATCH_INTERRUPTED

    @property
    def counts_as_rejected(self) -> bool:
        """Whether callers see a rejection. An unknown outcome is shown as one, too (C-68)."""
        return self.refused or self.doubtful

    @property
    def known(self) -> bool:
        """Whether the provider's answer is known."""
        return self.status is not _UNKNOWN


def any_accepted(outcomes: Iterable[ChannelOutcome]) -> bool:
    """Return whether at least one channel accepted a send."""
    for each in outcomes:  # noqa: SIM110  a generator would cost more than what it runs over
        if each.status is _ACCEPTED:
            return True
    return False


def any_may_arrive(outcomes: Iterable[ChannelOutcome]) -> bool:
    """Return whether a send may arrive: a channel accepted it, or its outcome is unknown (C-68)."""
    for each in outcomes:  # noqa: SIM110  a generator would cost more than what it runs over
        if each.status is _ACCEPTED or each.doubtful:
            return True
    return False


def explained_by(
    channels: Collection[ChannelName], outcomes: tuple[ChannelOutcome, ...]
) -> tuple[ChannelOutcome, ...]:
    """Return the outcomes, with these channels accepted: a provider with receipts has the code (C-68)."""
    if not channels:
        return outcomes
    return tuple([_as_accepted(each) if each.channel in channels else each for each in outcomes])


def _as_accepted(outcome: ChannelOutcome) -> ChannelOutcome:
    if outcome.known:
        return outcome
    return evolve(outcome, status=_ACCEPTED, error_code=None, error_message=None)


def rejected(
    channel: ChannelName, channel_account_id: str, error_code: str, error_message: str
) -> ChannelOutcome:
    """Return the outcome of a send that was refused before it reached its provider."""
    return ChannelOutcome(
        channel=channel,
        channel_account_id=channel_account_id,
        status=OutcomeStatus.REJECTED,
        error_code=error_code,
        error_message=error_message,
    )


def interrupted(channel: ChannelName) -> ChannelOutcome:
    """Return the outcome of a dispatch whose process ended before it was recorded (C-15)."""
    return ChannelOutcome(
        channel=channel,
        status=OutcomeStatus.UNKNOWN,
        error_code=DISPATCH_INTERRUPTED,
        error_message="The process ended before the provider's answer was recorded.",
    )
