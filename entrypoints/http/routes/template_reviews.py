"""The approval of RCS and WhatsApp templates by operators, and their submission (C-36, C-55, C-99)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

from ....application.caller import Caller
from ....application.message_templates.template_kinds import RCS_TEMPLATES, WHATSAPP_TEMPLATES
from ....application.message_templates.views import RcsTemplateView, WhatsappTemplateView
from ...message_templates.rcs_writing import operators_rcs_template
from ...message_templates.whatsapp_writing import operators_whatsapp_template
from ...wire.typed_requests import RcsTemplateReview, WhatsappTemplateReview
from ...wired import Wired
from ..operator_handlers import (
    ACCOUNT_AND_PAGE,
    OperatorHandler,
    account_filter,
    acting_for,
    record_answer,
    records_answer,
)
from ..requests import body_as, media_addresses, paging_of
from ..route import ACT, READ, About, Route

# They review a template by its id, with a reason where one is given.
ReviewRcs = Callable[[Wired, Caller, str, str | None], Awaitable[RcsTemplateView]]
ReviewWhatsapp = Callable[[Wired, Caller, str, str | None], Awaitable[WhatsappTemplateView]]

_RCS = "/admin/v1/rcs-templates"
_WHATSAPP = "/admin/v1/wa-templates"


async def list_rcs(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """List RCS templates, of all accounts or of one."""
    account_id = await account_filter(service, by, request)
    listed = await service.fetching_templates.listed(account_id, RCS_TEMPLATES, paging_of(request))
    address_of = media_addresses(request, service)
    shown = [operators_rcs_template(each, address_of) for each in listed.data]
    return records_answer(by, listed, shown)


async def list_whatsapp(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """List WhatsApp templates, of all accounts or of one."""
    listed = await service.fetching_templates.listed(
        await account_filter(service, by, request), WHATSAPP_TEMPLATES, paging_of(request)
    )
    shown = [operators_whatsapp_template(each) for each in listed.data]
    return records_answer(by, listed, shown)


def _reviewing_rcs(review: ReviewRcs) -> OperatorHandler:
    async def reviewed(service: Wired, request: web.Request, operator: Caller) -> web.Response:
        body = await body_as(request, RcsTemplateReview)
        by = await acting_for(service, operator, body.account)
        template_id = await service.finding_templates.rcs_template(
            by.account_id, request.match_info["name"], body.sender_profile
        )
        template = await review(service, by, template_id, body.reason or None)
        address_of = media_addresses(request, service)
        return record_answer(by, operators_rcs_template(template, address_of))

    return reviewed


def _reviewing_whatsapp(review: ReviewWhatsapp) -> OperatorHandler:
    async def reviewed(service: Wired, request: web.Request, operator: Caller) -> web.Response:
        body = await body_as(request, WhatsappTemplateReview)
        by = await acting_for(service, operator, body.account)
        template_id = await service.finding_templates.whatsapp_template(
            by.account_id, request.match_info["name"], body.language
        )
        template = await review(service, by, template_id, body.reason or None)
        return record_answer(by, operators_whatsapp_template(template))

    return reviewed


_submit_rcs = _reviewing_rcs(
    lambda service, by, template_id, _: service.reviewing_rcs_templates.submit(by, template_id)
)
_approve_rcs = _reviewing_rcs(
    lambda service, *review: service.reviewing_rcs_templates.approve(*review)
)
_reject_rcs = _reviewing_rcs(
    lambda service, *review: service.reviewing_rcs_templates.reject(*review)
)
_submit_whatsapp = _reviewing_whatsapp(
    lambda service, by, template_id, _: service.submitting_whatsapp_templates.submit(
        by, template_id
    )
)
_approve_whatsapp = _reviewing_whatsapp(
    lambda service, *review: service.reviewing_whatsapp_templates.approve(*review)
)
_reject_whatsapp = _reviewing_whatsapp(
    lambda service, *review: service.reviewing_whatsapp_templates.reject(*review)
)

TEMPLATE_REVIEW_ROUTES = (
    Route("GET", _RCS, list_rcs, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("POST", f"{_RCS}/{{name}}/submit", _submit_rcs, ACT, About.ACCOUNT),
    Route("POST", f"{_RCS}/{{name}}/approve", _approve_rcs, ACT, About.ACCOUNT),
    Route("POST", f"{_RCS}/{{name}}/reject", _reject_rcs, ACT, About.ACCOUNT),
    Route("GET", _WHATSAPP, list_whatsapp, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("POST", f"{_WHATSAPP}/{{name}}/submit", _submit_whatsapp, ACT, About.ACCOUNT),
    Route("POST", f"{_WHATSAPP}/{{name}}/approve", _approve_whatsapp, ACT, About.ACCOUNT),
    Route("POST", f"{_WHATSAPP}/{{name}}/reject", _reject_whatsapp, ACT, About.ACCOUNT),
)
