"""Management of a running service (C-35)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import quote

from attrs import field, frozen

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
from ..http.codec import wire_time
from .client import Client
from .management import RcsReview, Record, TemplateMark, WhatsappReview

T = TypeVar("T")


@frozen(kw_only=True)
class _Page:
    total_pages: int
    data: tuple[Any, ...]


@frozen(kw_only=True)
class _Told:
    key: str = field(repr=False)


@frozen(kw_only=True)
class _RcsTemplate:
    """What a table shows of an RCS template."""

    account_id: str
    name: str
    sender_profile: str
    category: str
    message_type: str
    template_state: str
    status: str


@frozen(kw_only=True)
class _WhatsappTemplate:
    """What a table shows of a WhatsApp template."""

    account_id: str
    name: str
    language: str
    category: str
    status: str


class ManagementOverHttp:
    """Calls the management routes with the operator's token."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def create_account(self, name: str) -> AccountRow:
        """Create an account."""
        created = await self._client.call("POST", "/accounts", {"name": name})
        return self._client.understood(created, AccountRow)

    async def accounts(self) -> Sequence[AccountRow]:
        """Give all accounts."""
        return await self._all("/accounts", {}, AccountRow)

    async def create_key(
        self,
        account: str,
        name: str,
        scopes: Sequence[Scope] | None,
        expires_at: datetime | None,
        template_auto_match: bool,
    ) -> NewApiKey:
        """Make an API key."""
        body = {
            "account": account,
            "name": name,
            "scopes": None if scopes is None else list(scopes),
            "templateAutoMatch": template_auto_match,
            "expiresAt": None if expires_at is None else wire_time(expires_at),
        }
        created = await self._client.call(
            "POST", "/api-keys", {k: value for k, value in body.items() if value is not None}
        )
        return NewApiKey(
            record=self._client.understood(created, ApiKeyRow),
            key=self._client.understood(created, _Told).key,
        )

    async def keys(self, account: str | None) -> Sequence[ApiKeyRow]:
        """Give all keys."""
        return await self._all("/api-keys", _of(account), ApiKeyRow)

    async def revoke_key(self, key_id: str) -> ApiKeyRow:
        """Take a key back."""
        revoked = await self._client.call("DELETE", f"/api-keys/{quote(key_id, safe='')}")
        return self._client.understood(revoked, ApiKeyRow)

    async def create_channel_account(self, body: Record) -> ChannelAccountRow:
        """Create a channel account."""
        created = await self._client.call("POST", "/channel-accounts", body)
        return self._client.understood(created, ChannelAccountRow)

    async def channel_accounts(self, account: str | None) -> Sequence[ChannelAccountRow]:
        """Give all channel accounts."""
        return await self._all("/channel-accounts", _of(account), ChannelAccountRow)

    async def create_fallback_configuration(self, body: Record) -> FallbackConfigurationRow:
        """Create a fallback configuration."""
        created = await self._client.call("POST", "/fallback-configurations", body)
        return self._client.understood(created, FallbackConfigurationRow)

    async def fallback_configurations(
        self, account: str | None
    ) -> Sequence[FallbackConfigurationRow]:
        """Give all fallback configurations."""
        return await self._all("/fallback-configurations", _of(account), FallbackConfigurationRow)

    async def messages(self, filters: Mapping[str, str], page: int) -> Sequence[Record]:
        """Give a page of the delivery report."""
        query = {**filters, "page": str(page), "pageSize": "100"}
        answer = await self._client.call("GET", "/messages", query=query)
        return self._client.understood(answer, _Page).data

    async def create_callback(self, body: Record) -> CallbackRecord:
        """Create a callback endpoint."""
        created = await self._client.call("POST", "/callbacks", body)
        return self._client.understood(created, CallbackRecord)

    async def callbacks(self, account: str | None) -> Sequence[CallbackRecord]:
        """Give all callback endpoints."""
        return await self._all("/callbacks", _of(account), CallbackRecord)

    async def remove_callback(self, callback_id: str) -> CallbackRecord:
        """Remove a callback endpoint."""
        removed = await self._client.call("DELETE", f"/callbacks/{quote(callback_id, safe='')}")
        return self._client.understood(removed, CallbackRecord)

    async def deliveries(self, callback_id: str, limit: int) -> Sequence[DeliveryRecord]:
        """Give the newest deliveries."""
        path = f"/callbacks/{quote(callback_id, safe='')}/deliveries"
        return await self._all(path, {}, DeliveryRecord, limit)

    async def redeliver(self, callback_id: str, delivery_id: str) -> DeliveryRecord:
        """Have a delivery attempted again."""
        delivery = f"{quote(callback_id, safe='')}/deliveries/{quote(delivery_id, safe='')}"
        again = await self._client.call("POST", f"/callbacks/{delivery}/redeliver")
        return self._client.understood(again, DeliveryRecord)

    async def create_dlt_template(self, body: Record) -> DltTemplateRow:
        """Register a DLT template."""
        created = await self._client.call("POST", "/dlt-templates", body)
        return self._client.understood(created, DltTemplateRow)

    async def dlt_templates(self, account: str | None) -> Sequence[DltTemplateRow]:
        """Give all DLT templates."""
        return await self._all("/dlt-templates", _of(account), DltTemplateRow)

    async def remove_dlt_template(self, record_id: str) -> DltTemplateRow:
        """Remove a DLT template."""
        removed = await self._client.call("DELETE", f"/dlt-templates/{quote(record_id, safe='')}")
        return self._client.understood(removed, DltTemplateRow)

    async def rcs_templates(self, account: str | None) -> Sequence[Record]:
        """Give all RCS templates."""
        found = await self._records("/rcs-templates", _of(account))
        for each in found:
            self._client.understood(each, _RcsTemplate)
        return found

    async def review_rcs_template(self, name: str, review: RcsReview, body: Record) -> Record:
        """Submit, approve or reject an RCS template."""
        path = f"/rcs-templates/{quote(name, safe='')}/{review}"
        reviewed = await self._client.call("POST", path, body)
        self._client.understood(reviewed, _RcsTemplate)
        return reviewed

    async def whatsapp_templates(self, account: str | None) -> Sequence[Record]:
        """Give all WhatsApp templates."""
        found = await self._records("/wa-templates", _of(account))
        for each in found:
            self._client.understood(each, _WhatsappTemplate)
        return found

    async def review_whatsapp_template(
        self, name: str, review: WhatsappReview, body: Record
    ) -> Record:
        """Approve or reject a WhatsApp template."""
        path = f"/wa-templates/{quote(name, safe='')}/{review}"
        reviewed = await self._client.call("POST", path, body)
        self._client.understood(reviewed, _WhatsappTemplate)
        return reviewed

    async def create_legacy_user(self, body: Record) -> LegacyUserRow:
        """Create a legacy user."""
        created = await self._client.call("POST", "/legacy-users", body)
        return self._client.understood(created, LegacyUserRow)

    async def legacy_users(self, account: str | None) -> Sequence[LegacyUserRow]:
        """Give all legacy users."""
        return await self._all("/legacy-users", _of(account), LegacyUserRow)

    async def remove_legacy_user(self, user_id: str) -> LegacyUserRow:
        """Remove a legacy user."""
        removed = await self._client.call("DELETE", f"/legacy-users/{quote(user_id, safe='')}")
        return self._client.understood(removed, LegacyUserRow)

    async def revoke_legacy_tokens(self, user_id: str) -> LegacyUserRow:
        """Make all tokens of a legacy user void."""
        path = f"/legacy-users/{quote(user_id, safe='')}/tokens"
        return self._client.understood(await self._client.call("DELETE", path), LegacyUserRow)

    async def create_template(self, body: Record) -> PinTemplateRecord:
        """Create a PIN template."""
        return await self._template("POST", "", body)

    async def templates(
        self, account: str | None, search: TemplateSearch
    ) -> Sequence[PinTemplateRecord]:
        """Give all PIN templates that a search finds."""
        query = {
            **_of(account),
            "search": search.search,
            "status": search.status or "",
            "includeArchived": str(search.include_archived).lower(),
        }
        return await self._all("/pin-templates", query, PinTemplateRecord)

    async def template(self, template_id: str) -> PinTemplateRecord:
        """Give one PIN template."""
        return await self._template("GET", f"/{quote(template_id, safe='')}")

    async def revise_template(self, template_id: str, body: Record) -> PinTemplateRecord:
        """Replace what the body names."""
        return await self._template("PATCH", f"/{quote(template_id, safe='')}", body)

    async def mark_template(self, template_id: str, mark: TemplateMark) -> PinTemplateRecord:
        """Enable, disable or archive a PIN template."""
        return await self._template("POST", f"/{quote(template_id, safe='')}/{mark}")

    async def _template(
        self, method: str, path: str, body: Record | None = None
    ) -> PinTemplateRecord:
        record = await self._client.call(method, f"/pin-templates{path}", body)
        return self._client.understood(record, PinTemplateRecord)

    async def _all(
        self, path: str, query: dict[str, str], rows: type[T], limit: int | None = None
    ) -> list[T]:
        found = await self._records(path, query, limit)
        return [self._client.understood(each, rows) for each in found]

    async def _records(
        self, path: str, query: dict[str, str], limit: int | None = None
    ) -> list[Any]:
        found: list[Any] = []
        page, pages = 1, 1
        while page <= pages and (limit is None or len(found) < limit):
            paging = {"page": str(page), "pageSize": "100"}
            answer = await self._client.call("GET", path, query={**query, **paging})
            listed = self._client.understood(answer, _Page)
            found += listed.data
            page, pages = page + 1, listed.total_pages
        return found[:limit]


def _of(account: str | None) -> dict[str, str]:
    return {} if account is None else {"account": account}
