"""WhatsApp templates: created by callers (SPEC 4 C)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...whatsapp_templates.reading import template_definition
from ...wire.codec import encode
from ...wiring import Wired
from ..answers import Answer
from ..requests import json_read
from ..route import KEY_FOR_MESSAGES, About, Route


async def create(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Create a template and put it up for approval (C-26)."""
    _, definition = await json_read(request, template_definition)
    created = await service.creating_whatsapp_templates.create(by, definition)
    body = {
        "id": created.id,
        "status": created.status.value,
        "category": created.category.value,
    }
    return Answer(201, encode(body)).response(by.request_id)


WHATSAPP_TEMPLATE_ROUTES = (
    Route("POST", "/wa/templates", create, KEY_FOR_MESSAGES, About.ACCOUNT),
)
