"""Accounts, keys, fallback configurations and DLT templates, as operators set them up (C-35)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ....domain.accounts.account_limits import AccountLimits
from ....domain.retention import Retention
from ...wire.codec import unstructure
from ...wire.typed_requests import (
    NewAccount,
    NewDltTemplate,
    NewFallbackConfiguration,
    NewKey,
)
from ...wired import Wired
from ..operator_handlers import (
    ACCOUNT_AND_PAGE,
    acting,
    acting_for,
    creating,
    listing,
    record_answer,
    records_answer,
)
from ..requests import body_as, paging_of
from ..route import ACT, ALL, PAGE, READ, About, Route

_ACCOUNTS = "/admin/v1/accounts"
_ACCOUNT = f"{_ACCOUNTS}/{{id}}"
_KEYS = "/admin/v1/api-keys"
_FALLBACKS = "/admin/v1/fallback-configurations"
_DLT_TEMPLATES = "/admin/v1/dlt-templates"


async def create_account(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Create an account."""
    created = await service.accounts.create(by, (await body_as(request, NewAccount)).name)
    return record_answer(by, created, 201)


async def list_accounts(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """List accounts."""
    return records_answer(by, await service.accounts.list(by, paging_of(request)))


async def account_limits(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show the limits of an account."""
    return record_answer(by, await service.accounts.limits(by, request.match_info["id"]))


async def set_account_limits(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Set all limits of an account."""
    wanted = await body_as(request, AccountLimits)
    account = request.match_info["id"]
    return record_answer(by, await service.accounts.set_limits(by, account, wanted))


async def retention(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show for how long an account keeps what ended."""
    return record_answer(by, await service.retention.get(by, request.match_info["id"]))


async def set_retention(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Replace the retention of an account."""
    wanted = await body_as(request, Retention)
    account = request.match_info["id"]
    return record_answer(by, await service.retention.set(by, account, wanted))


async def create_key(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Create an API key and show it, once; a misspelt `scopes` must not open all (D-547)."""
    body = await body_as(request, NewKey)
    created = await service.api_keys.create(
        await acting_for(service, by, body.account),
        body.name,
        scopes=body.scopes,
        template_auto_match=body.template_auto_match,
        expires_at=body.expires_at,
    )
    return record_answer(by, {**unstructure(created.record), "key": created.key}, 201)


_create_fallback = creating(
    NewFallbackConfiguration,
    lambda service, by, body: service.fallback_configurations.create(
        by, fallback_id=body.fallback_id, steps=body.channels
    ),
)
_create_dlt_template = creating(
    NewDltTemplate,
    lambda service, by, body: service.dlt_templates.create(
        by, template_id=body.template_id, entity_id=body.entity_id, text=body.text
    ),
)
_suspend_account = acting(lambda service: service.accounts.suspend)
_resume_account = acting(lambda service: service.accounts.resume)
_list_keys = listing(lambda service: service.api_keys.list)
_revoke_key = acting(lambda service: service.api_keys.revoke)
_list_fallbacks = listing(lambda service: service.fallback_configurations.list)
_list_dlt_templates = listing(lambda service: service.dlt_templates.list)
_remove_dlt = acting(lambda service: service.dlt_templates.remove)

# An account's suspension and limits are about the store: its own operators do not lift them (D-178).
MANAGEMENT_ROUTES = (
    Route("POST", _ACCOUNTS, create_account, ALL, About.STORE),
    Route("GET", _ACCOUNTS, list_accounts, READ, About.ACCOUNT, PAGE),
    Route("POST", f"{_ACCOUNT}/suspend", _suspend_account, ALL, About.STORE, bodiless=True),
    Route("POST", f"{_ACCOUNT}/resume", _resume_account, ALL, About.STORE, bodiless=True),
    Route("GET", f"{_ACCOUNT}/limits", account_limits, READ, About.ACCOUNT),
    Route("PUT", f"{_ACCOUNT}/limits", set_account_limits, ALL, About.STORE),
    Route("GET", f"{_ACCOUNT}/retention", retention, READ, About.ACCOUNT),
    Route("PUT", f"{_ACCOUNT}/retention", set_retention, ALL, About.STORE),
    Route("POST", _KEYS, create_key, ALL, About.ACCOUNT),
    Route("GET", _KEYS, _list_keys, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("DELETE", f"{_KEYS}/{{id}}", _revoke_key, ALL, About.ACCOUNT, bodiless=True),
    Route("POST", _FALLBACKS, _create_fallback, ACT, About.ACCOUNT),
    Route("GET", _FALLBACKS, _list_fallbacks, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("POST", _DLT_TEMPLATES, _create_dlt_template, ACT, About.ACCOUNT),
    Route("GET", _DLT_TEMPLATES, _list_dlt_templates, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("DELETE", f"{_DLT_TEMPLATES}/{{id}}", _remove_dlt, ACT, About.ACCOUNT, bodiless=True),
)
