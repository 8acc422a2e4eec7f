"""The create of RCS templates (SPEC 4 A1)."""

from __future__ import annotations

from aiohttp import web

from ...codec import encode
from ...rcs_templates.writing import shown_rcs_template
from ...wiring import Wired
from ..answers import Answer
from ..authentication import messaging_caller
from ..large_bodies import LARGE, LARGE_BODIES
from ..rcs_forms import receiving_form
from ..requests import media_addresses


class RcsTemplateRoutes:
    """What creates RCS templates."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [web.post("/rcs/templates", self.create)]

    async def create(self, request: web.Request) -> web.Response:
        """A1: create a template, with the files that come with it."""
        by = await messaging_caller(request, self._service)
        async with receiving_form(request, self._service.receiving_media, by) as form:
            large = sum(map(len, form.texts.values())) > LARGE
            template = (
                await request.app[LARGE_BODIES].do(form.template) if large else form.template()
            )
            record = await self._service.creating_rcs_templates.create(
                by,
                sender_profile=template.sender_profile,
                message_type=template.message_type,
                update_by=template.update_by,
                definition=template.definition,
                files=form.template_files(),
            )
        shown = shown_rcs_template(record, media_addresses(request, self._service))
        body = encode({"status": "success", "data": shown})
        return Answer(200, body).response(by.request_id)
