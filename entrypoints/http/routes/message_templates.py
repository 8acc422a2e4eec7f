"""RCS and WhatsApp templates: created and fetched by callers (SPEC 4 A1, A2, C)."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.message_templates.template_kinds import TemplateView
from ....application.message_templates.views import RcsTemplateView, WhatsappTemplateView
from ...addresses.media import AddressOf
from ...message_templates.rcs_writing import shown_rcs_template
from ...message_templates.whatsapp_reading import template_definition
from ...message_templates.whatsapp_writing import shown_whatsapp_template
from ...messaging.template_questions import template_question
from ...wire.codec import encode
from ...wired import Wired
from ..answers import Answer, page_answer
from ..listener.large_bodies import LARGE, LARGE_BODIES
from ..rcs_forms import receiving_form
from ..requests import json_read, media_addresses
from ..route import KEY_FOR_MESSAGES, About, Route


async def create_rcs(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """A1: create an RCS template, with the files that come with it."""
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


async def create_whatsapp(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Create a WhatsApp template and put it up for approval (C-26)."""
    _, definition = await json_read(request, template_definition)
    created = await service.creating_whatsapp_templates.create(by, definition)
    body = {
        "id": created.id,
        "status": created.status.value,
        "category": created.category.value,
    }
    return Answer(201, encode(body)).response(by.request_id)


async def fetch(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """A2: return one page of the account's templates, the newest first."""
    _, asked = await json_read(request, template_question)
    found = await service.fetching_templates.fetch(
        by.account_id, asked.filters, asked.page_no, asked.limit
    )
    address_of = media_addresses(request, service)
    shown = [_shown(each, address_of) for each in found]
    return page_answer(asked.page_no, asked.limit, shown).response(by.request_id)


def _shown(record: TemplateView, address_of: AddressOf) -> dict[str, Any]:
    match record:
        case RcsTemplateView():
            return shown_rcs_template(record, address_of)
        case WhatsappTemplateView():
            return shown_whatsapp_template(record)


# The fetch is one endpoint under two names (C-19).
MESSAGE_TEMPLATE_ROUTES = (
    Route("POST", "/rcs/templates", create_rcs, KEY_FOR_MESSAGES, About.ACCOUNT),
    Route("POST", "/wa/templates", create_whatsapp, KEY_FOR_MESSAGES, About.ACCOUNT),
    Route("POST", "/oapi/templates/fetch", fetch, KEY_FOR_MESSAGES, About.ACCOUNT),
    Route("POST", "/templates/fetch", fetch, KEY_FOR_MESSAGES, About.ACCOUNT),
)
