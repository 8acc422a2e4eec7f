"""The views of accounts, API keys, channel accounts, fallback configurations and DLT templates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from ...domain.accounts.channel_account import ChannelLimits, PrefixPrice
from ..ports.channels import SettingKind
from ..records.account import AccountRow
from ..records.api_key import ApiKeyRow
from ..records.channel_account import ChannelAccountRow
from ..records.dlt_template import DltTemplateRow
from ..records.fallback_configuration import FallbackConfigurationRow
from .channel_health import ChannelHealth


@frozen(kw_only=True)
class AccountView:
    """An account."""

    id: str
    name: str
    created_at: datetime
    suspended_at: datetime | None

    @classmethod
    def of(cls, row: AccountRow) -> AccountView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            name=row.name,
            created_at=row.created_at,
            suspended_at=row.suspended_at,
        )


@frozen(kw_only=True)
class ApiKeyView:
    """An API key, without the key and its hash."""

    id: str
    account_id: str
    name: str
    prefix: str
    scopes: tuple[str, ...]
    template_auto_match: bool
    expires_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None

    @classmethod
    def of(cls, row: ApiKeyRow) -> ApiKeyView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            account_id=row.account_id,
            name=row.name,
            prefix=row.prefix,
            scopes=row.scopes,
            template_auto_match=row.template_auto_match,
            expires_at=row.expires_at,
            created_at=row.created_at,
            last_used_at=row.last_used_at,
            revoked_at=row.revoked_at,
        )


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


@frozen(kw_only=True)
class FallbackConfigurationView:
    """A fallback configuration."""

    id: str
    account_id: str
    fallback_id: str
    steps: tuple[str, ...]
    created_at: datetime

    @classmethod
    def of(cls, row: FallbackConfigurationRow) -> FallbackConfigurationView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            account_id=row.account_id,
            fallback_id=row.fallback_id,
            steps=row.steps,
            created_at=row.created_at,
        )


@frozen(kw_only=True)
class DltTemplateView:
    """A registered DLT template (C-30)."""

    id: str
    account_id: str
    template_id: str
    entity_id: str
    text: str
    created_at: datetime
    removed_at: datetime | None

    @classmethod
    def of(cls, row: DltTemplateRow) -> DltTemplateView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            account_id=row.account_id,
            template_id=row.template_id,
            entity_id=row.entity_id,
            text=row.text,
            created_at=row.created_at,
            removed_at=row.removed_at,
        )
