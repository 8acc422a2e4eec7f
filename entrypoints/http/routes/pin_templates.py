"""PIN templates, as operators set them up (C-35)."""

from __future__ import annotations

from functools import partial

from aiohttp import web

from ....application.caller import Caller
from ...typed_requests import NewPinTemplate, PinTemplatePatch, revised_policy, with_policy
from ...wiring import Wired
from ..answers import list_answer
from ..operating import Operators, account_filter, acting_for, record_answer
from ..query_names import PAGE, bodiless, takes
from ..requests import TEMPLATE_FILTERS, json_read, paging_of, template_search

_ROOT = "pin-templates"


class PinTemplateRoutes:
    """PIN templates, under `/admin/v1/pin-templates`."""

    def __init__(self, service: Wired, operators: Operators) -> None:
        self._service = service
        self._templates = service.pin_templates
        self._operators = operators

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return self._operators.table(
            (
                (web.post, _ROOT, self.create),
                (web.get, _ROOT, self.list),
                (web.get, f"{_ROOT}/{{id}}", self.get),
                (web.patch, f"{_ROOT}/{{id}}", self.revise),
                (web.post, f"{_ROOT}/{{id}}/enable", self.enable),
                (web.post, f"{_ROOT}/{{id}}/disable", self.disable),
                (web.post, f"{_ROOT}/{{id}}/archive", self.archive),
            )
        )

    async def create(self, request: web.Request, by: Caller) -> web.Response:
        """Create a PIN template."""
        _, (body, policy) = await json_read(request, partial(with_policy, kind=NewPinTemplate))
        created = await self._templates.create(
            await acting_for(self._service, by, body.account),
            name=body.name,
            policy=policy,
            channels=body.channels,
        )
        return record_answer(by, created, 201)

    @takes("account", *TEMPLATE_FILTERS, *PAGE)
    async def list(self, request: web.Request, by: Caller) -> web.Response:
        """List PIN templates, of all accounts or of one."""
        listed = await self._templates.list(
            await account_filter(self._service, request),
            template_search(request),
            paging_of(request),
        )
        return list_answer(listed).response(by.request_id)

    async def get(self, request: web.Request, by: Caller) -> web.Response:
        """Show one PIN template."""
        return record_answer(by, await self._templates.get(None, request.match_info["id"]))

    async def revise(self, request: web.Request, by: Caller) -> web.Response:
        """Revise a PIN template."""
        raw, (body, _) = await json_read(request, partial(with_policy, kind=PinTemplatePatch))
        record = await self._templates.revise(
            by,
            request.match_info["id"],
            name=body.name,
            policy=revised_policy(raw),
            channels=body.channels,
        )
        return record_answer(by, record)

    @bodiless
    async def enable(self, request: web.Request, by: Caller) -> web.Response:
        """Allow sends under a template again."""
        template_id = request.match_info["id"]
        return record_answer(by, await self._templates.enable(by, template_id))

    @bodiless
    async def disable(self, request: web.Request, by: Caller) -> web.Response:
        """Stop sends under a template."""
        template_id = request.match_info["id"]
        return record_answer(by, await self._templates.disable(by, template_id))

    @bodiless
    async def archive(self, request: web.Request, by: Caller) -> web.Response:
        """Take a template out of use for good."""
        template_id = request.match_info["id"]
        return record_answer(by, await self._templates.archive(by, template_id))
