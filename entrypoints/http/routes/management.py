"""Management: accounts, keys, channel accounts, fallback configurations, DLT and PIN templates (C-35)."""

from __future__ import annotations

from aiohttp import web

from ...typed_requests import (
    NewAccount,
    NewChannelAccount,
    NewDltTemplate,
    NewFallbackConfiguration,
    NewKey,
    NewPinTemplate,
    PinTemplatePatch,
    revised_policy,
    with_policy,
)
from ...wiring import Wired
from ..answers import list_answer
from ..authentication import admin_caller
from ..codec import unstructure
from ..operating import account_filter, acting_for, record_answer
from ..requests import body_as, json_body, paging_of, template_search


class ManagementRoutes:
    """What operators set up, under `/admin/v1`; the token opens all of it."""

    def __init__(self, service: Wired, admin_token: str) -> None:
        self._service = service
        self._token = admin_token

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [
            web.post("/admin/v1/accounts", self.create_account),
            web.get("/admin/v1/accounts", self.accounts),
            web.post("/admin/v1/api-keys", self.create_key),
            web.get("/admin/v1/api-keys", self.keys),
            web.delete("/admin/v1/api-keys/{id}", self.revoke_key),
            web.post("/admin/v1/channel-accounts", self.create_channel_account),
            web.get("/admin/v1/channel-accounts", self.channel_accounts),
            web.post("/admin/v1/fallback-configurations", self.create_fallback_configuration),
            web.get("/admin/v1/fallback-configurations", self.fallback_configurations),
            web.post("/admin/v1/dlt-templates", self.create_dlt_template),
            web.get("/admin/v1/dlt-templates", self.dlt_templates),
            web.delete("/admin/v1/dlt-templates/{id}", self.remove_dlt_template),
            web.post("/admin/v1/pin-templates", self.create_template),
            web.get("/admin/v1/pin-templates", self.templates),
            web.get("/admin/v1/pin-templates/{id}", self.template),
            web.patch("/admin/v1/pin-templates/{id}", self.revise_template),
            web.post("/admin/v1/pin-templates/{id}/enable", self.enable_template),
            web.post("/admin/v1/pin-templates/{id}/disable", self.disable_template),
            web.post("/admin/v1/pin-templates/{id}/archive", self.archive_template),
        ]

    async def create_account(self, request: web.Request) -> web.Response:
        """Create an account."""
        by = admin_caller(request, self._token)
        created = await self._service.accounts.create(by, (await body_as(request, NewAccount)).name)
        return record_answer(by, created, 201)

    async def accounts(self, request: web.Request) -> web.Response:
        """List accounts."""
        by = admin_caller(request, self._token)
        listed = await self._service.accounts.list(paging_of(request))
        return list_answer(listed).response(by.request_id)

    async def create_key(self, request: web.Request) -> web.Response:
        """Create an API key and tell it, once."""
        by = admin_caller(request, self._token)
        body = await body_as(request, NewKey)
        created = await self._service.api_keys.create(
            await acting_for(self._service, by, body.account),
            body.name,
            scopes=body.scopes,
            template_auto_match=body.template_auto_match,
            expires_at=body.expires_at,
        )
        return record_answer(by, {**unstructure(created.record), "key": created.key}, 201)

    async def keys(self, request: web.Request) -> web.Response:
        """List API keys, never the keys themselves."""
        by = admin_caller(request, self._token)
        listed = await self._service.api_keys.list(
            await account_filter(self._service, request), paging_of(request)
        )
        return list_answer(listed).response(by.request_id)

    async def revoke_key(self, request: web.Request) -> web.Response:
        """Revoke an API key."""
        by = admin_caller(request, self._token)
        return record_answer(
            by, await self._service.api_keys.revoke(by, request.match_info["id"]), 200
        )

    async def create_channel_account(self, request: web.Request) -> web.Response:
        """Create a channel account."""
        by = admin_caller(request, self._token)
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

    async def channel_accounts(self, request: web.Request) -> web.Response:
        """List channel accounts."""
        by = admin_caller(request, self._token)
        listed = await self._service.channel_accounts.list(
            await account_filter(self._service, request), paging_of(request)
        )
        return list_answer(listed).response(by.request_id)

    async def create_fallback_configuration(self, request: web.Request) -> web.Response:
        """Create a fallback configuration."""
        by = admin_caller(request, self._token)
        body = await body_as(request, NewFallbackConfiguration)
        created = await self._service.fallback_configurations.create(
            await acting_for(self._service, by, body.account),
            fallback_id=body.fallback_id,
            steps=body.channels,
        )
        return record_answer(by, created, 201)

    async def fallback_configurations(self, request: web.Request) -> web.Response:
        """List fallback configurations."""
        by = admin_caller(request, self._token)
        listed = await self._service.fallback_configurations.list(
            await account_filter(self._service, request), paging_of(request)
        )
        return list_answer(listed).response(by.request_id)

    async def create_dlt_template(self, request: web.Request) -> web.Response:
        """Register a DLT template."""
        by = admin_caller(request, self._token)
        body = await body_as(request, NewDltTemplate)
        created = await self._service.dlt_templates.create(
            await acting_for(self._service, by, body.account),
            template_id=body.template_id,
            entity_id=body.entity_id,
            text=body.text,
        )
        return record_answer(by, created, 201)

    async def dlt_templates(self, request: web.Request) -> web.Response:
        """List DLT templates."""
        by = admin_caller(request, self._token)
        listed = await self._service.dlt_templates.list(
            await account_filter(self._service, request), paging_of(request)
        )
        return list_answer(listed).response(by.request_id)

    async def remove_dlt_template(self, request: web.Request) -> web.Response:
        """Remove a DLT template."""
        by = admin_caller(request, self._token)
        record_id = request.match_info["id"]
        return record_answer(by, await self._service.dlt_templates.remove(by, record_id), 200)

    async def create_template(self, request: web.Request) -> web.Response:
        """Create a PIN template."""
        by = admin_caller(request, self._token)
        raw = await json_body(request)
        body, policy = with_policy(raw, NewPinTemplate)
        created = await self._service.pin_templates.create(
            await acting_for(self._service, by, body.account),
            name=body.name,
            policy=policy,
            channels=body.channels,
        )
        return record_answer(by, created, 201)

    async def templates(self, request: web.Request) -> web.Response:
        """List PIN templates, of all accounts or of one."""
        by = admin_caller(request, self._token)
        listed = await self._service.pin_templates.list(
            await account_filter(self._service, request),
            template_search(request),
            paging_of(request),
        )
        return list_answer(listed).response(by.request_id)

    async def template(self, request: web.Request) -> web.Response:
        """Show one PIN template."""
        by = admin_caller(request, self._token)
        return record_answer(
            by, await self._service.pin_templates.get(None, request.match_info["id"]), 200
        )

    async def revise_template(self, request: web.Request) -> web.Response:
        """Revise a PIN template."""
        by = admin_caller(request, self._token)
        raw = await json_body(request)
        body, _ = with_policy(raw, PinTemplatePatch)
        record = await self._service.pin_templates.revise(
            by,
            request.match_info["id"],
            name=body.name,
            policy=revised_policy(raw),
            channels=body.channels,
        )
        return record_answer(by, record, 200)

    async def enable_template(self, request: web.Request) -> web.Response:
        """Allow sends under a template again."""
        by = admin_caller(request, self._token)
        template_id = request.match_info["id"]
        return record_answer(by, await self._service.pin_templates.enable(by, template_id), 200)

    async def disable_template(self, request: web.Request) -> web.Response:
        """Stop sends under a template."""
        by = admin_caller(request, self._token)
        template_id = request.match_info["id"]
        return record_answer(by, await self._service.pin_templates.disable(by, template_id), 200)

    async def archive_template(self, request: web.Request) -> web.Response:
        """Take a template out of use for good."""
        by = admin_caller(request, self._token)
        template_id = request.match_info["id"]
        return record_answer(by, await self._service.pin_templates.archive(by, template_id), 200)
