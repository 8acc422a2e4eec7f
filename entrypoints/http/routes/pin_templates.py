"""PIN templates, as operators set them up (C-35)."""

from __future__ import annotations

from functools import partial

from aiohttp import web

from ....application.caller import Caller
from ....application.pins.managing_pin_templates import TemplateSearch
from ...wire.searches import names_of, template_search
from ...wire.typed_requests import NewPinTemplate, PinTemplatePatch, revised_policy, with_policy
from ...wired import Wired
from ..operator_handlers import account_filter, acting, acting_for, record_answer, records_answer
from ..requests import json_read, paging_of
from ..route import ACT, PAGE, READ, About, Route

_ALL = "/admin/v1/pin-templates"
_ONE = f"{_ALL}/{{id}}"


async def create(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Create a PIN template."""
    _, (body, policy) = await json_read(request, partial(with_policy, kind=NewPinTemplate))
    created = await service.pin_templates.create(
        await acting_for(service, by, body.account),
        name=body.name,
        policy=policy,
        channels=body.channels,
    )
    return record_answer(by, created, 201)


async def list_templates(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """List PIN templates, of all accounts or of one."""
    listed = await service.pin_templates.list(
        await account_filter(service, by, request),
        template_search(request.query),
        paging_of(request),
    )
    return records_answer(by, listed)


async def get(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show one PIN template."""
    return record_answer(by, await service.pin_templates.get(by, request.match_info["id"]))


async def revise(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Revise a PIN template."""
    raw, (body, _) = await json_read(request, partial(with_policy, kind=PinTemplatePatch))
    record = await service.pin_templates.revise(
        by,
        request.match_info["id"],
        name=body.name,
        policy=revised_policy(raw),
        channels=body.channels,
    )
    return record_answer(by, record)


_enable = acting(lambda service: service.pin_templates.enable)
_disable = acting(lambda service: service.pin_templates.disable)
_archive = acting(lambda service: service.pin_templates.archive)
_FILTERS = ("account", *names_of(TemplateSearch), *PAGE)

PIN_TEMPLATE_ROUTES = (
    Route("POST", _ALL, create, ACT, About.ACCOUNT),
    Route("GET", _ALL, list_templates, READ, About.ACCOUNT, _FILTERS, search=TemplateSearch),
    Route("GET", _ONE, get, READ, About.ACCOUNT),
    Route("PATCH", _ONE, revise, ACT, About.ACCOUNT),
    Route("POST", f"{_ONE}/enable", _enable, ACT, About.ACCOUNT, bodiless=True),
    Route("POST", f"{_ONE}/disable", _disable, ACT, About.ACCOUNT, bodiless=True),
    Route("POST", f"{_ONE}/archive", _archive, ACT, About.ACCOUNT, bodiless=True),
)
