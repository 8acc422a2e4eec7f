"""The approval of RCS templates by operators (C-36, C-55)."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.message_templates.template_kinds import RCS_TEMPLATES
from ....application.message_templates.template_records import RcsTemplateRecord
from ...rcs_templates.writing import operators_rcs_template
from ...typed_requests import RcsTemplateReview
from ...wiring import Wired
from ..answers import list_answer
from ..operating import Operators, account_filter, acting_for, record_answer
from ..query_names import PAGE, takes
from ..requests import body_as, media_addresses, paging_of

_REVIEWED = "rcs-templates"


class RcsTemplateReviewRoutes:
    """What operators decide of templates, under `/admin/v1`."""

    def __init__(self, service: Wired, operators: Operators) -> None:
        self._service = service
        self._reviewing = service.reviewing_rcs_templates
        self._operators = operators

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return self._operators.table(
            (
                (web.get, _REVIEWED, self.list),
                (web.post, f"{_REVIEWED}/{{name}}/submit", self.submit),
                (web.post, f"{_REVIEWED}/{{name}}/approve", self.approve),
                (web.post, f"{_REVIEWED}/{{name}}/reject", self.reject),
            )
        )

    @takes("account", *PAGE)
    async def list(self, request: web.Request, by: Caller) -> web.Response:
        """List templates, of all accounts or of one."""
        listed = await self._service.fetching_templates.listed(
            await account_filter(self._service, request),
            RCS_TEMPLATES,
            paging_of(request),
        )
        address_of = media_addresses(request, self._service)
        shown = [operators_rcs_template(each, address_of) for each in listed.data]
        return list_answer(listed, shown).response(by.request_id)

    async def submit(self, request: web.Request, operator: Caller) -> web.Response:
        """Put a draft, or a rejected template, up for approval."""
        by, template_id, _ = await self._meant(request, operator)
        return self._answer(request, by, await self._reviewing.submit(by, template_id))

    async def approve(self, request: web.Request, operator: Caller) -> web.Response:
        """Allow sends under a template."""
        by, template_id, reason = await self._meant(request, operator)
        return self._answer(request, by, await self._reviewing.approve(by, template_id, reason))

    async def reject(self, request: web.Request, operator: Caller) -> web.Response:
        """Forbid sends under a template."""
        by, template_id, reason = await self._meant(request, operator)
        return self._answer(request, by, await self._reviewing.reject(by, template_id, reason))

    async def _meant(
        self, request: web.Request, operator: Caller
    ) -> tuple[Caller, str, str | None]:
        """Give the operator acting for an account, its template, and the reason of a review."""
        body = await body_as(request, RcsTemplateReview)
        by = await acting_for(self._service, operator, body.account)
        template_id = await self._service.finding_templates.rcs_template(
            by.account_id, request.match_info["name"], body.sender_profile
        )
        return by, template_id, body.reason or None

    def _answer(self, request: web.Request, by: Caller, record: RcsTemplateRecord) -> web.Response:
        shown: dict[str, Any] = operators_rcs_template(
            record, media_addresses(request, self._service)
        )
        return record_answer(by, shown)
