"""Management on a store that no other process uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from ...application.accounts.managing_api_keys import NewApiKey
from ...application.callbacks.deliveries import DeliveryRecord
from ...application.callbacks.managing_callbacks import CallbackRecord
from ...application.caller import ADMIN, Caller
from ...application.message_templates.rcs_template_record import RcsTemplateRecord
from ...application.message_templates.template_kinds import RCS_TEMPLATES, WHATSAPP_TEMPLATES
from ...application.paging import MAX_PAGE_SIZE, Listed, Paging
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
from ..http.reports import reported_message
from ..http.requests import INNER_NAMES, under_own_names
from ..messaging.message_questions import MessageFilters, report_question
from ..rcs_templates.writing import hosted_under, operators_rcs_template
from ..structuring import structure
from ..typed_requests import (
    NewCallback,
    NewChannelAccount,
    NewDltTemplate,
    NewFallbackConfiguration,
    NewLegacyUser,
    NewPinTemplate,
    PinTemplatePatch,
    RcsTemplateReview,
    WhatsappTemplateReview,
    revised_policy,
    with_policy,
)
from ..whatsapp_templates.writing import operators_whatsapp_template
from ..wiring import Wired
from .management import RcsReview, Record, TemplateMark, WhatsappReview

T = TypeVar("T")


class ManagementOnStore:
    """Calls the use cases as the operator."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    async def create_account(self, name: str) -> AccountRow:
        """Create an account."""
        return await self._service.accounts.create(self._by(), name)

    async def accounts(self) -> Sequence[AccountRow]:
        """Give all accounts."""
        return await _all(self._service.accounts.list)

    async def create_key(
        self,
        account: str,
        name: str,
        scopes: Sequence[Scope] | None,
        expires_at: datetime | None,
        template_auto_match: bool,
    ) -> NewApiKey:
        """Make an API key."""
        return await self._service.api_keys.create(
            self._by(await self._service.accounts.resolve(account)),
            name,
            scopes=None if scopes is None else tuple(scopes),
            template_auto_match=template_auto_match,
            expires_at=expires_at,
        )

    async def keys(self, account: str | None) -> Sequence[ApiKeyRow]:
        """Give all keys."""
        resolved = await self._resolved(account)
        return await _all(lambda paging: self._service.api_keys.list(resolved, paging))

    async def revoke_key(self, key_id: str) -> ApiKeyRow:
        """Take a key back."""
        return await self._service.api_keys.revoke(self._by(), key_id)

    async def create_channel_account(self, body: Record) -> ChannelAccountRow:
        """Create a channel account."""
        wanted = structure(body, NewChannelAccount)
        return await self._service.channel_accounts.create(
            self._by(await self._resolved(wanted.account) or ""),
            channel_type=wanted.channel,
            provider=wanted.provider,
            name=wanted.name,
            sender=wanted.sender,
            config=wanted.config,
        )

    async def channel_accounts(self, account: str | None) -> Sequence[ChannelAccountRow]:
        """Give all channel accounts."""
        resolved = await self._resolved(account)
        return await _all(lambda paging: self._service.channel_accounts.list(resolved, paging))

    async def create_fallback_configuration(self, body: Record) -> FallbackConfigurationRow:
        """Create a fallback configuration."""
        wanted = structure(body, NewFallbackConfiguration)
        return await self._service.fallback_configurations.create(
            self._by(await self._resolved(wanted.account) or ""),
            fallback_id=wanted.fallback_id,
            steps=wanted.channels,
        )

    async def fallback_configurations(
        self, account: str | None
    ) -> Sequence[FallbackConfigurationRow]:
        """Give all fallback configurations."""
        resolved = await self._resolved(account)
        return await _all(
            lambda paging: self._service.fallback_configurations.list(resolved, paging)
        )

    async def messages(self, filters: Mapping[str, str], page: int) -> Sequence[Record]:
        """Give a page of the delivery report."""

        def read(given: dict[str, Any]) -> MessageFilters:
            return report_question(given, self._service.third_parties)

        asked = under_own_names(filters, INNER_NAMES, read)
        listed = await self._service.searching_messages.search(
            asked.search(await self._resolved(asked.account)),
            Paging(page=page, page_size=MAX_PAGE_SIZE),
        )
        return [reported_message(each) for each in listed.data]

    async def create_callback(self, body: Record) -> CallbackRecord:
        """Create a callback endpoint."""
        wanted = structure(body, NewCallback)
        return await self._service.callbacks.create(
            self._by(await self._resolved(wanted.account) or ""),
            url=wanted.url,
            events=wanted.events,
            secret=wanted.secret,
        )

    async def callbacks(self, account: str | None) -> Sequence[CallbackRecord]:
        """Give all callback endpoints."""
        resolved = await self._resolved(account)
        return await _all(lambda paging: self._service.callbacks.list(resolved, paging))

    async def remove_callback(self, callback_id: str) -> CallbackRecord:
        """Remove a callback endpoint."""
        return await self._service.callbacks.remove(self._by(), callback_id)

    async def deliveries(self, callback_id: str, limit: int) -> Sequence[DeliveryRecord]:
        """Give the newest deliveries."""
        return await _all(
            lambda paging: self._service.callbacks.deliveries(callback_id, paging), limit
        )

    async def redeliver(self, callback_id: str, delivery_id: str) -> DeliveryRecord:
        """Have a delivery attempted again."""
        return await self._service.callbacks.redeliver(self._by(), callback_id, delivery_id)

    async def create_dlt_template(self, body: Record) -> DltTemplateRow:
        """Register a DLT template."""
        wanted = structure(body, NewDltTemplate)
        return await self._service.dlt_templates.create(
            self._by(await self._resolved(wanted.account) or ""),
            template_id=wanted.template_id,
            entity_id=wanted.entity_id,
            text=wanted.text,
        )

    async def dlt_templates(self, account: str | None) -> Sequence[DltTemplateRow]:
        """Give all DLT templates."""
        resolved = await self._resolved(account)
        return await _all(lambda paging: self._service.dlt_templates.list(resolved, paging))

    async def remove_dlt_template(self, record_id: str) -> DltTemplateRow:
        """Remove a DLT template."""
        return await self._service.dlt_templates.remove(self._by(), record_id)

    async def rcs_templates(self, account: str | None) -> Sequence[Record]:
        """Give all RCS templates."""
        resolved = await self._resolved(account)
        found = await _all(
            lambda paging: self._service.fetching_templates.listed(resolved, RCS_TEMPLATES, paging)
        )
        return [self._shown(each) for each in found]

    async def review_rcs_template(self, name: str, review: RcsReview, body: Record) -> Record:
        """Submit, approve or reject an RCS template."""
        wanted = structure(body, RcsTemplateReview)
        by = self._by(await self._resolved(wanted.account) or "")
        template_id = await self._service.finding_templates.rcs_template(
            by.account_id, name, wanted.sender_profile
        )
        reviewing, reason = self._service.reviewing_rcs_templates, wanted.reason or None
        match review:
            case RcsReview.SUBMIT:
                return self._shown(await reviewing.submit(by, template_id))
            case RcsReview.APPROVE:
                return self._shown(await reviewing.approve(by, template_id, reason))
            case RcsReview.REJECT:
                return self._shown(await reviewing.reject(by, template_id, reason))

    async def whatsapp_templates(self, account: str | None) -> Sequence[Record]:
        """Give all WhatsApp templates."""
        resolved = await self._resolved(account)
        found = await _all(
            lambda paging: self._service.fetching_templates.listed(
                resolved, WHATSAPP_TEMPLATES, paging
            )
        )
        return [operators_whatsapp_template(each) for each in found]

    async def review_whatsapp_template(
        self, name: str, review: WhatsappReview, body: Record
    ) -> Record:
        """Approve or reject a WhatsApp template."""
        wanted = structure(body, WhatsappTemplateReview)
        by = self._by(await self._resolved(wanted.account) or "")
        template_id = await self._service.finding_templates.whatsapp_template(
            by.account_id, name, wanted.language
        )
        reviewing, reason = self._service.reviewing_whatsapp_templates, wanted.reason or None
        decide = reviewing.approve if review is WhatsappReview.APPROVE else reviewing.reject
        return operators_whatsapp_template(await decide(by, template_id, reason))

    async def create_legacy_user(self, body: Record) -> LegacyUserRow:
        """Create a legacy user."""
        wanted = structure(body, NewLegacyUser)
        return await self._service.legacy_users.create(
            self._by(await self._resolved(wanted.account) or ""),
            email=wanted.email,
            password=wanted.password,
        )

    async def legacy_users(self, account: str | None) -> Sequence[LegacyUserRow]:
        """Give all legacy users."""
        resolved = await self._resolved(account)
        return await _all(lambda paging: self._service.legacy_users.list(resolved, paging))

    async def remove_legacy_user(self, user_id: str) -> LegacyUserRow:
        """Remove a legacy user."""
        return await self._service.legacy_users.remove(self._by(), user_id)

    async def revoke_legacy_tokens(self, user_id: str) -> LegacyUserRow:
        """Make all tokens of a legacy user void."""
        return await self._service.legacy_users.revoke_tokens(self._by(), user_id)

    async def create_template(self, body: Record) -> PinTemplateRecord:
        """Create a PIN template."""
        wanted, policy = with_policy(body, NewPinTemplate)
        return await self._service.pin_templates.create(
            self._by(await self._resolved(wanted.account) or ""),
            name=wanted.name,
            policy=policy,
            channels=wanted.channels,
        )

    async def templates(
        self, account: str | None, search: TemplateSearch
    ) -> Sequence[PinTemplateRecord]:
        """Give all PIN templates that a search finds."""
        resolved = await self._resolved(account)
        return await _all(lambda paging: self._service.pin_templates.list(resolved, search, paging))

    async def template(self, template_id: str) -> PinTemplateRecord:
        """Give one PIN template."""
        return await self._service.pin_templates.get(None, template_id)

    async def revise_template(self, template_id: str, body: Record) -> PinTemplateRecord:
        """Replace what the body names."""
        wanted, _ = with_policy(body, PinTemplatePatch)
        return await self._service.pin_templates.revise(
            self._by(),
            template_id,
            name=wanted.name,
            policy=revised_policy(body),
            channels=wanted.channels,
        )

    async def mark_template(self, template_id: str, mark: TemplateMark) -> PinTemplateRecord:
        """Enable, disable or archive a PIN template."""
        templates = self._service.pin_templates
        marks = {
            TemplateMark.ENABLE: templates.enable,
            TemplateMark.DISABLE: templates.disable,
            TemplateMark.ARCHIVE: templates.archive,
        }
        return await marks[mark](self._by(), template_id)

    def _shown(self, record: RcsTemplateRecord) -> Record:
        base = self._service.short_domains.base_url
        return operators_rcs_template(record, hosted_under(base))

    async def _resolved(self, account: str | None) -> str | None:
        return None if account is None else await self._service.accounts.resolve(account)

    def _by(self, account_id: str = "") -> Caller:
        return Caller(account_id, ADMIN, self._service.randomness.new_id("req"))


async def _all(
    listing: Callable[[Paging], Awaitable[Listed[T]]], limit: int | None = None
) -> list[T]:
    found: list[T] = []
    page, pages = 1, 1
    while page <= pages and (limit is None or len(found) < limit):
        listed = await listing(Paging(page=page, page_size=MAX_PAGE_SIZE))
        found += listed.data
        page, pages = page + 1, listed.total_pages
    return found[:limit]
