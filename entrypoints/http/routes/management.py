"""What operators set up: accounts, keys, channel accounts, fallback configurations, DLT templates (C-35)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ....domain.account_limits import AccountLimits
from ...codec import unstructure
from ...typed_requests import (
    NewAccount,
    NewChannelAccount,
    NewDltTemplate,
    NewFallbackConfiguration,
    NewKey,
)
from ...wiring import Wired
from ..answers import list_answer
from ..operating import Operators, acting_for, record_answer, records_answer
from ..query_names import PAGE, bodiless, takes
from ..requests import body_as, paging_of, whole_body_as


class ManagementRoutes:
    """What operators set up, under `/admin/v1`."""

    def __init__(self, service: Wired, operators: Operators) -> None:
        self._service = service
        self._operators = operators

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return self._operators.table(
            (
                (web.post, "accounts", self.create_account),
                (web.get, "accounts", self.accounts),
                (web.post, "accounts/{id}/suspend", self.suspend_account),
                (web.post, "accounts/{id}/resume", self.resume_account),
                (web.get, "accounts/{id}/limits", self.account_limits),
                (web.put, "accounts/{id}/limits", self.set_account_limits),
                (web.post, "api-keys", self.create_key),
                (web.get, "api-keys", self.keys),
                (web.delete, "api-keys/{id}", self.revoke_key),
                (web.post, "channel-accounts", self.create_channel_account),
                (web.get, "channel-accounts", self.channel_accounts),
                (web.post, "fallback-configurations", self.create_fallback_configuration),
                (web.get, "fallback-configurations", self.fallback_configurations),
                (web.post, "dlt-templates", self.create_dlt_template),
                (web.get, "dlt-templates", self.dlt_templates),
                (web.delete, "dlt-templates/{id}", self.remove_dlt_template),
            )
        )

    async def create_account(self, request: web.Request, by: Caller) -> web.Response:
        """Create an account."""
        created = await self._service.accounts.create(by, (await body_as(request, NewAccount)).name)
        return record_answer(by, created, 201)

    @takes(*PAGE)
    async def accounts(self, request: web.Request, by: Caller) -> web.Response:
        """List accounts."""
        listed = await self._service.accounts.list(paging_of(request))
        return list_answer(listed).response(by.request_id)

    @bodiless
    async def suspend_account(self, request: web.Request, by: Caller) -> web.Response:
        """Refuse whoever calls for an account."""
        suspended = await self._service.accounts.suspend(by, request.match_info["id"])
        return record_answer(by, suspended)

    @bodiless
    async def resume_account(self, request: web.Request, by: Caller) -> web.Response:
        """Let an account be called for again."""
        return record_answer(by, await self._service.accounts.resume(by, request.match_info["id"]))

    async def account_limits(self, request: web.Request, by: Caller) -> web.Response:
        """Tell the limits that hold for an account."""
        return record_answer(by, await self._service.accounts.limits(request.match_info["id"]))

    async def set_account_limits(self, request: web.Request, by: Caller) -> web.Response:
        """Set all limits of an account."""
        wanted = await whole_body_as(request, AccountLimits)
        account = request.match_info["id"]
        return record_answer(by, await self._service.accounts.set_limits(by, account, wanted))

    async def create_key(self, request: web.Request, by: Caller) -> web.Response:
        """Create an API key and tell it, once."""
        body = await body_as(request, NewKey)
        created = await self._service.api_keys.create(
            await acting_for(self._service, by, body.account),
            body.name,
            scopes=body.scopes,
            template_auto_match=body.template_auto_match,
            expires_at=body.expires_at,
        )
        return record_answer(by, {**unstructure(created.record), "key": created.key}, 201)

    @takes("account", *PAGE)
    async def keys(self, request: web.Request, by: Caller) -> web.Response:
        """List API keys, never the keys themselves."""
        return await records_answer(request, by, self._service, self._service.api_keys.list)

    @bodiless
    async def revoke_key(self, request: web.Request, by: Caller) -> web.Response:
        """Revoke an API key."""
        return record_answer(by, await self._service.api_keys.revoke(by, request.match_info["id"]))

    async def create_channel_account(self, request: web.Request, by: Caller) -> web.Response:
        """Create a channel account."""
        body = await body_as(request, NewChannelAccount)
        created = await self._service.channel_accounts.create(
            await acting_for(self._service, by, body.account),
            channel_type=body.channel,
            provider=body.provider,
            name=body.name,
            sender=body.sender,
            config=body.config,
        )
        return record_answer(by, created, 201)

    @takes("account", *PAGE)
    async def channel_accounts(self, request: web.Request, by: Caller) -> web.Response:
        """List channel accounts."""
        return await records_answer(request, by, self._service, self._service.channel_accounts.list)

    async def create_fallback_configuration(self, request: web.Request, by: Caller) -> web.Response:
        """Create a fallback configuration."""
        body = await body_as(request, NewFallbackConfiguration)
        created = await self._service.fallback_configurations.create(
            await acting_for(self._service, by, body.account),
            fallback_id=body.fallback_id,
            steps=body.channels,
        )
        return record_answer(by, created, 201)

    @takes("account", *PAGE)
    async def fallback_configurations(self, request: web.Request, by: Caller) -> web.Response:
        """List fallback configurations."""
        return await records_answer(
            request, by, self._service, self._service.fallback_configurations.list
        )

    async def create_dlt_template(self, request: web.Request, by: Caller) -> web.Response:
        """Register a DLT template."""
        body = await body_as(request, NewDltTemplate)
        created = await self._service.dlt_templates.create(
            await acting_for(self._service, by, body.account),
            template_id=body.template_id,
            entity_id=body.entity_id,
            text=body.text,
        )
        return record_answer(by, created, 201)

    @takes("account", *PAGE)
    async def dlt_templates(self, request: web.Request, by: Caller) -> web.Response:
        """List DLT templates."""
        return await records_answer(request, by, self._service, self._service.dlt_templates.list)

    @bodiless
    async def remove_dlt_template(self, request: web.Request, by: Caller) -> web.Response:
        """Remove a DLT template."""
        record_id = request.match_info["id"]
        return record_answer(by, await self._service.dlt_templates.remove(by, record_id))
