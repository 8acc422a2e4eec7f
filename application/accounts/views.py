"""The views of accounts, API keys, channel accounts, fallback configurations and DLT templates."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ..records.account import AccountRow
from ..records.api_key import ApiKeyRow
from ..records.dlt_template import DltTemplateRow
from ..records.fallback_configuration import FallbackConfigurationRow


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
