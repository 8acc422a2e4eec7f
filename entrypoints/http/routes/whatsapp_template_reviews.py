"""The approval of WhatsApp templates by operators (C-36)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ....application.message_templates.template_kinds import WHATSAPP_TEMPLATES
from ...typed_requests import WhatsappTemplateReview
from ...whatsapp_templates.writing import operators_whatsapp_template
from ...wiring import Wired
from ..answers import list_answer
from ..operating import Operators, account_filter, acting_for, record_answer
from ..query_names import PAGE, takes
from ..requests import body_as, paging_of

_REVIEWED = "wa-templates"


class WhatsappTemplateReviewRoutes:
    """What operators decide of templates, under `/admin/v1`."""

    def __init__(self, service: Wired, operators: Operators) -> None:
        self._service = service
        self._reviewing = service.reviewing_whatsapp_templates
        self._operators = operators

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return self._operators.table(
            (
                (web.get, _REVIEWED, self.list),
                (web.post, f"{_REVIEWED}/{{name}}/approve", self.approve),
                (web.post, f"{_REVIEWED}/{{name}}/reject", self.reject),
            )
        )

    @takes("account", *PAGE)
    async def list(self, request: web.Request, by: Caller) -> web.Response:
        """List templates, of all accounts or of one."""
        listed = await self._service.fetching_templates.listed(
            await account_filter(self._service, request), WHATSAPP_TEMPLATES, paging_of(request)
        )
        shown = [operators_whatsapp_template(each) for each in listed.data]
        return list_answer(listed, shown).response(by.request_id)

    async def approve(self, request: web.Request, operator: Caller) -> web.Response:
        """Allow sends under a template."""
        by, template_id, reason = await self._meant(request, operator)
        record = await self._reviewing.approve(by, template_id, reason)
        return record_answer(by, operators_whatsapp_template(record))

    async def reject(self, request: web.Request, operator: Caller) -> web.Response:
        """Forbid sends under a template."""
        by, template_id, reason = await self._meant(request, operator)
        record = await self._reviewing.reject(by, template_id, reason)
        return record_answer(by, operators_whatsapp_template(record))

    async def _meant(
        self, request: web.Request, operator: Caller
    ) -> tuple[Caller, str, str | None]:
        """Give the operator acting for an account, its template, and the reason of a review."""
        body = await body_as(request, WhatsappTemplateReview)
        by = await acting_for(self._service, operator, body.account)
        template_id = await self._service.finding_templates.whatsapp_template(
            by.account_id, request.match_info["name"], body.language
        )
        return by, template_id, body.reason or None
