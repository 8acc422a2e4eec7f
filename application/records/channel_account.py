"""The record of a channel account."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field

from ...domain.accounts.channel_account import (
    ChannelAccount,
    ChannelLimits,
    PrefixPrice,
    channel_account_decider,
    failover_target,
    redecide,
)
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class ChannelAccountRow(Row):
    """A channel account in the list of channel accounts."""

    id: str
    account_id: str
    channel_type: str
    provider: str
    name: str
    sender: str | None
    config: Mapping[str, Any] = field(repr=False)
    limits: ChannelLimits
    failover: tuple[str, ...]
    failover_on_unknown: bool | None
    prices: tuple[PrefixPrice, ...]
    enabled: bool
    created_at: datetime
    updated_at: datetime


def channel_account_row(stream: str, account: ChannelAccount) -> ChannelAccountRow:
    """Return the row of a channel account."""
    return ChannelAccountRow(
        id=stream,
        account_id=account.account_id,
        channel_type=str(account.channel_type),
        provider=account.provider,
        name=account.name,
        sender=account.sender,
        config=account.config,
        limits=account.limits,
        failover=account.failover,
        failover_on_unknown=account.failover_on_unknown,
        prices=account.prices,
        enabled=account.enabled,
        created_at=account.created_at,
        updated_at=account.updated_at,
    )


def _holds(account: ChannelAccount) -> frozenset[str]:
    return frozenset(map(failover_target, account.failover))


CHANNEL_ACCOUNT = Record(
    decider=channel_account_decider,
    prefix="cha",
    state=ChannelAccount,
    read_model=ReadModel(
        row=ChannelAccountRow,
        name="channel_accounts",
        changing=(
            "name",
            "sender",
            "config",
            "limits",
            "failover",
            "failover_on_unknown",
            "prices",
            "enabled",
            "updated_at",
        ),
        found_by=(
            FoundBy("channel_accounts_by_account", ("account_id", "channel_type", "created_at")),
        ),
    ),
    project=channel_account_row,
    holds=_holds,
    redecide=redecide,
)
