"""WhatsApp templates: created by callers (SPEC 4 C)."""

from __future__ import annotations

from aiohttp import web

from ...codec import encode
from ...whatsapp_templates.reading import template_definition
from ...wiring import Wired
from ..answers import Answer
from ..authentication import messaging_caller
from ..requests import json_read


class WhatsappTemplateRoutes:
    """What creates WhatsApp templates."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [web.post("/wa/templates", self.create)]

    async def create(self, request: web.Request) -> web.Response:
        """Create a template and put it up for approval (C-26)."""
        by = await messaging_caller(request, self._service)
        _, definition = await json_read(request, template_definition)
        created = await self._service.creating_whatsapp_templates.create(by, definition)
        body = {
            "id": created.id,
            "status": created.status.value,
            "category": created.category.value,
        }
        return Answer(201, encode(body)).response(by.request_id)
