"""The events of a channel account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from ...channel import ChannelName, OutcomeStatus
from ...event import Event, personal
from .limits import ChannelLimits, PrefixPrice


@frozen(kw_only=True)
class ChannelAccountCreated(Event):
    """
    A channel account was created; `config` has the form that its provider declares.

    Its secret settings are `***`. If there are any, they are `sealed` under the account's id (D-197).
    """

    SCHEMA = 3

    account_id: str
    channel_type: ChannelName
    provider: str
    name: str
    sender: str | None = None
    config: Mapping[str, Any] = field(repr=False)
    sealed: bool = False
    limits: ChannelLimits = ChannelLimits()
    failover: tuple[str, ...] = ()
    failover_on_unknown: bool | None = None
    prices: tuple[PrefixPrice, ...] = ()


@frozen(kw_only=True)
class ChannelAccountRevised(Event):
    """
    The settings of a channel account were replaced; the event contains all of them.

    With `resealed`, the secrets in `config` were sealed anew in the same append (D-235).
    """

    name: str
    sender: str | None = None
    config: Mapping[str, Any] = field(repr=False)
    sealed: bool = False
    resealed: bool = False
    limits: ChannelLimits = ChannelLimits()
    failover: tuple[str, ...] = ()
    failover_on_unknown: bool | None = None
    prices: tuple[PrefixPrice, ...] = ()


@frozen(kw_only=True)
class ChannelAccountDisabled(Event):
    """The channel account was disabled: it sends nothing, and goes on hearing its provider."""


@frozen(kw_only=True)
class ChannelAccountEnabled(Event):
    """The channel account was enabled; it sends again."""


@frozen(kw_only=True)
class ChannelAccountTested(Event):
    """An operator had a message sent through the channel account, as a test (C-67)."""

    status: OutcomeStatus
    code: str | None = None
    provider_message_id: str | None = personal(default=None)


@frozen(kw_only=True)
class ChannelSecretsDropped(Event):
    """The sealed secrets were dropped, because the code key that opens them is lost (C-3)."""


ChannelAccountLaterEvent = (
    ChannelAccountRevised
    | ChannelAccountDisabled
    | ChannelAccountEnabled
    | ChannelAccountTested
    | ChannelSecretsDropped
)
ChannelAccountEvent = ChannelAccountCreated | ChannelAccountLaterEvent
