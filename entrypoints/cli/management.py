"""What the commands ask of a service, wherever it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from ...application.accounts.managing_api_keys import NewApiKey
from ...application.callbacks.deliveries import DeliveryRecord
from ...application.callbacks.managing_callbacks import CallbackRecord
from ...application.pins.managing_pin_templates import PinTemplateRecord, TemplateSearch
from ...application.read_models.rows import (
    AccountRow,
    ApiKeyRow,
    ChannelAccountRow,
    DltTemplateRow,
    FallbackConfigurationRow,
    LegacyUserRow,
)
from ...domain.api_key import Scope

Record = Mapping[str, Any]


class TemplateMark(StrEnum):
    """What is done to a whole PIN template."""

    ENABLE = "enable"
    DISABLE = "disable"
    ARCHIVE = "archive"


class RcsReview(StrEnum):
    """What is done about an RCS template's approval."""

    SUBMIT = "submit"
    APPROVE = "approve"
    REJECT = "reject"


class WhatsappReview(StrEnum):
    """What is decided about a WhatsApp template's approval."""

    APPROVE = "approve"
    REJECT = "reject"


class Management(Protocol):
    """
    What operators set up (C-35); every call may raise `DomainError` or `RemoteRefusal`.

    A `Record` that is given is a body of the documented route, in its spelling. An `account` may be
    named by its id or its name.
    """

    async def create_account(self, name: str) -> AccountRow:
        """Create an account."""
        ...

    async def accounts(self) -> Sequence[AccountRow]:
        """Give all accounts, the newest first."""
        ...

    async def create_key(
        self,
        account: str,
        name: str,
        scopes: Sequence[Scope] | None,
        expires_at: datetime | None,
        template_auto_match: bool,
    ) -> NewApiKey:
        """Make an API key for an account, by id or name; with all scopes by default."""
        ...

    async def keys(self, account: str | None) -> Sequence[ApiKeyRow]:
        """Give all keys, of one account or of every one, the newest first."""
        ...

    async def revoke_key(self, key_id: str) -> ApiKeyRow:
        """Take a key back."""
        ...

    async def create_channel_account(self, body: Record) -> ChannelAccountRow:
        """Create a channel account."""
        ...

    async def channel_accounts(self, account: str | None) -> Sequence[ChannelAccountRow]:
        """Give all channel accounts, of one account or of every one, the newest first."""
        ...

    async def create_fallback_configuration(self, body: Record) -> FallbackConfigurationRow:
        """Create a fallback configuration."""
        ...

    async def fallback_configurations(
        self, account: str | None
    ) -> Sequence[FallbackConfigurationRow]:
        """Give all fallback configurations, of one account or of every one, the newest first."""
        ...

    async def messages(self, filters: Mapping[str, str], page: int) -> Sequence[Record]:
        """Give a page of the delivery report, of 100 (C-37); `filters` are those of the route."""
        ...

    async def create_callback(self, body: Record) -> CallbackRecord:
        """Create a callback endpoint and tell its secret."""
        ...

    async def callbacks(self, account: str | None) -> Sequence[CallbackRecord]:
        """Give all callback endpoints, of one account or of every one, the newest first."""
        ...

    async def remove_callback(self, callback_id: str) -> CallbackRecord:
        """Remove a callback endpoint."""
        ...

    async def deliveries(self, callback_id: str, limit: int) -> Sequence[DeliveryRecord]:
        """Give the newest deliveries to an endpoint, so many at most."""
        ...

    async def redeliver(self, callback_id: str, delivery_id: str) -> DeliveryRecord:
        """Have a delivery attempted again."""

    async def create_dlt_template(self, body: Record) -> DltTemplateRow:
        """Register a DLT template."""
        ...

    async def dlt_templates(self, account: str | None) -> Sequence[DltTemplateRow]:
        """Give all DLT templates, of one account or of every one, the newest first."""
        ...

    async def remove_dlt_template(self, record_id: str) -> DltTemplateRow:
        """Remove a DLT template."""
        ...

    async def rcs_templates(self, account: str | None) -> Sequence[Record]:
        """Give all RCS templates, of one account or of every one, the newest first."""
        ...

    async def review_rcs_template(self, name: str, review: RcsReview, body: Record) -> Record:
        """Submit, approve or reject an RCS template."""
        ...

    async def whatsapp_templates(self, account: str | None) -> Sequence[Record]:
        """Give all WhatsApp templates, of one account or of every one, the newest first."""
        ...

    async def review_whatsapp_template(
        self, name: str, review: WhatsappReview, body: Record
    ) -> Record:
        """Approve or reject a WhatsApp template."""
        ...

    async def create_legacy_user(self, body: Record) -> LegacyUserRow:
        """Create a legacy user."""
        ...

    async def legacy_users(self, account: str | None) -> Sequence[LegacyUserRow]:
        """Give all legacy users, of one account or of every one, the newest first."""
        ...

    async def remove_legacy_user(self, user_id: str) -> LegacyUserRow:
        """Remove a legacy user, with all tokens."""
        ...

    async def revoke_legacy_tokens(self, user_id: str) -> LegacyUserRow:
        """Make all tokens of a legacy user void."""
        ...

    async def create_template(self, body: Record) -> PinTemplateRecord:
        """Create a PIN template."""
        ...

    async def templates(
        self, account: str | None, search: TemplateSearch
    ) -> Sequence[PinTemplateRecord]:
        """Give all PIN templates that a search finds, of one account or of every one."""
        ...

    async def template(self, template_id: str) -> PinTemplateRecord:
        """Give one PIN template."""
        ...

    async def revise_template(self, template_id: str, body: Record) -> PinTemplateRecord:
        """Replace what the body names, and leave the rest."""
        ...

    async def mark_template(self, template_id: str, mark: TemplateMark) -> PinTemplateRecord:
        """Enable, disable or archive a PIN template."""
        ...
