"""The approval of RCS templates by operators (C-36, C-55)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ....application.message_templates.template_kinds import RCS_TEMPLATES
from ....application.message_templates.template_views import RcsTemplateView
from ...rcs_templates.writing import operators_rcs_template
from ...wire.typed_requests import RcsTemplateReview
from ...wiring import Wired
from ..answers import list_answer
from ..operating import ACCOUNT_AND_PAGE, account_filter, acting_for, record_answer
from ..requests import body_as, media_addresses, paging_of
from ..route import ACT, READ, About, Route

_ALL = "/admin/v1/rcs-templates"
_ONE = f"{_ALL}/{{name}}"


async def list_templates(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """List templates, of all accounts or of one."""
    listed = await service.fetching_templates.listed(
        await account_filter(service, request), RCS_TEMPLATES, paging_of(request)
    )
    address_of = media_addresses(request, service)
    shown = [operators_rcs_template(each, address_of) for each in listed.data]
    return list_answer(listed, shown).response(by.request_id)


async def submit(service: Wired, request: web.Request, operator: Caller) -> web.Response:
    """Put a draft, or a rejected template, up for approval."""
    by, template_id, _ = await _review(service, request, operator)
    record = await service.reviewing_rcs_templates.submit(by, template_id)
    return _answer(service, request, by, record)


async def approve(service: Wired, request: web.Request, operator: Caller) -> web.Response:
    """Allow sends under a template."""
    by, template_id, reason = await _review(service, request, operator)
    record = await service.reviewing_rcs_templates.approve(by, template_id, reason)
    return _answer(service, request, by, record)


async def reject(service: Wired, request: web.Request, operator: Caller) -> web.Response:
    """Forbid sends under a template."""
    by, template_id, reason = await _review(service, request, operator)
    record = await service.reviewing_rcs_templates.reject(by, template_id, reason)
    return _answer(service, request, by, record)


async def _review(
    service: Wired, request: web.Request, operator: Caller
) -> tuple[Caller, str, str | None]:
    """Return the operator acting for an account, its template, and the reason of a review."""
    body = await body_as(request, RcsTemplateReview)
    by = await acting_for(service, operator, body.account)
    template_id = await service.finding_templates.rcs_template(
        by.account_id, request.match_info["name"], body.sender_profile
    )
    return by, template_id, body.reason or None


def _answer(
    service: Wired, request: web.Request, by: Caller, record: RcsTemplateView
) -> web.Response:
    return record_answer(by, operators_rcs_template(record, media_addresses(request, service)))


RCS_TEMPLATE_REVIEW_ROUTES = (
    Route("GET", _ALL, list_templates, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("POST", f"{_ONE}/submit", submit, ACT, About.ACCOUNT),
    Route("POST", f"{_ONE}/approve", approve, ACT, About.ACCOUNT),
    Route("POST", f"{_ONE}/reject", reject, ACT, About.ACCOUNT),
)
