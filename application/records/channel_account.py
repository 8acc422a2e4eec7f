"""The record of a channel account."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field

from ...domain.accounts.channel_account import (
    ChannelAccount,
    channel_account_decider,
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
    created_at: datetime


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
        created_at=account.created_at,
    )


CHANNEL_ACCOUNT = Record(
    decider=channel_account_decider,
    prefix="cha",
    state=ChannelAccount,
    read_model=ReadModel(
        row=ChannelAccountRow,
        name="channel_accounts",
        found_by=(
            FoundBy("channel_accounts_by_account", ("account_id", "channel_type", "created_at")),
        ),
    ),
    project=channel_account_row,
    redecide=redecide,
)
