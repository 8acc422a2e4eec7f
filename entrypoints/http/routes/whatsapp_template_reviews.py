"""The approval of WhatsApp templates by operators (C-36)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ....application.message_templates.template_kinds import WHATSAPP_TEMPLATES
from ...whatsapp_templates.writing import operators_whatsapp_template
from ...wire.typed_requests import WhatsappTemplateReview
from ...wiring import Wired
from ..answers import list_answer
from ..operating import ACCOUNT_AND_PAGE, account_filter, acting_for, record_answer
from ..requests import body_as, paging_of
from ..route import ACT, READ, About, Route

_ALL = "/admin/v1/wa-templates"
_ONE = f"{_ALL}/{{name}}"


async def list_templates(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """List templates, of all accounts or of one."""
    listed = await service.fetching_templates.listed(
        await account_filter(service, request), WHATSAPP_TEMPLATES, paging_of(request)
    )
    shown = [operators_whatsapp_template(each) for each in listed.data]
    return list_answer(listed, shown).response(by.request_id)


async def approve(service: Wired, request: web.Request, operator: Caller) -> web.Response:
    """Allow sends under a template."""
    by, template_id, reason = await _review(service, request, operator)
    record = await service.reviewing_whatsapp_templates.approve(by, template_id, reason)
    return record_answer(by, operators_whatsapp_template(record))


async def reject(service: Wired, request: web.Request, operator: Caller) -> web.Response:
    """Forbid sends under a template."""
    by, template_id, reason = await _review(service, request, operator)
    record = await service.reviewing_whatsapp_templates.reject(by, template_id, reason)
    return record_answer(by, operators_whatsapp_template(record))


async def _review(
    service: Wired, request: web.Request, operator: Caller
) -> tuple[Caller, str, str | None]:
    """Return the operator acting for an account, its template, and the reason of a review."""
    body = await body_as(request, WhatsappTemplateReview)
    by = await acting_for(service, operator, body.account)
    template_id = await service.finding_templates.whatsapp_template(
        by.account_id, request.match_info["name"], body.language
    )
    return by, template_id, body.reason or None


WHATSAPP_TEMPLATE_REVIEW_ROUTES = (
    Route("GET", _ALL, list_templates, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("POST", f"{_ONE}/approve", approve, ACT, About.ACCOUNT),
    Route("POST", f"{_ONE}/reject", reject, ACT, About.ACCOUNT),
)
