"""Channel accounts and providers, as callers may see them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from ...domain.accounts.channel_account import ChannelLimits, PrefixPrice
from ..ports.channels import SettingKind
from ..records.channel_account import ChannelAccountRow
from .health import ChannelHealth


@frozen(kw_only=True)
class ChannelAccountView:
    """
    A channel account; `config` is as its provider keeps it, but each secret is `***`.

    `account` and `account_id` are the same id (C-99). `callback_url` is None without a public URL.
    """

    id: str
    account: str
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
    callback_url: str | None = field(repr=False)
    created_at: datetime
    updated_at: datetime
    health: ChannelHealth

    @classmethod
    def of(
        cls, row: ChannelAccountRow, callback_url: str | None, health: ChannelHealth
    ) -> ChannelAccountView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            account=row.account_id,
            account_id=row.account_id,
            channel_type=row.channel_type,
            provider=row.provider,
            name=row.name,
            sender=row.sender,
            config=row.config,
            limits=row.limits,
            failover=row.failover,
            failover_on_unknown=row.failover_on_unknown,
            prices=row.prices,
            enabled=row.enabled,
            callback_url=callback_url,
            created_at=row.created_at,
            updated_at=row.updated_at,
            health=health,
        )


@frozen(kw_only=True)
class SettingView:
    """A setting of a provider's channel accounts; only one of the kind `choice` has `choices`."""

    name: str
    kind: SettingKind
    required: bool
    secret: bool
    choices: tuple[str, ...] = ()
    help: str


@frozen(kw_only=True)
class ProviderView:
    """A provider, the channels that its accounts may be for, and the settings of their config."""

    name: str
    channels: tuple[str, ...]
    settings: tuple[SettingView, ...]
