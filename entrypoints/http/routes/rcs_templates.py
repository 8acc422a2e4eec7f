"""The create of RCS templates (SPEC 4 A1)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...rcs_templates.writing import shown_rcs_template
from ...wire.codec import encode
from ...wiring import Wired
from ..answers import Answer
from ..listener.large_bodies import LARGE, LARGE_BODIES
from ..rcs_forms import receiving_form
from ..requests import media_addresses
from ..route import KEY_FOR_MESSAGES, About, Route


async def create(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """A1: create a template, with the files that come with it."""
    async with receiving_form(request, service.receiving_media, by) as form:
        large = sum(map(len, form.texts.values())) > LARGE
        template = await request.app[LARGE_BODIES].do(form.template) if large else form.template()
        record = await service.creating_rcs_templates.create(
            by,
            sender_profile=template.sender_profile,
            message_type=template.message_type,
            update_by=template.update_by,
            definition=template.definition,
            files=form.template_files(),
        )
    shown = shown_rcs_template(record, media_addresses(request, service))
    body = encode({"status": "success", "data": shown})
    return Answer(200, body).response(by.request_id)


RCS_TEMPLATE_ROUTES = (Route("POST", "/rcs/templates", create, KEY_FOR_MESSAGES, About.ACCOUNT),)
