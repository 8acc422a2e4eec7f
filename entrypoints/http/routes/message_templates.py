"""The fetch of RCS and WhatsApp templates (SPEC 4 A2, C)."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.message_templates.template_kinds import TemplateView
from ....application.message_templates.template_views import (
    RcsTemplateView,
    WhatsappTemplateView,
)
from ...media_addresses import AddressOf
from ...messaging.template_questions import template_question
from ...rcs_templates.writing import shown_rcs_template
from ...whatsapp_templates.writing import shown_whatsapp_template
from ...wiring import Wired
from ..answers import page_answer
from ..requests import json_read, media_addresses
from ..route import KEY_FOR_MESSAGES, About, Route

# One endpoint under two names (C-19).
_FETCH_PATHS = ("/oapi/templates/fetch", "/templates/fetch")


async def fetch(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """A2: give one page of the account's templates, the newest first."""
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


MESSAGE_TEMPLATE_ROUTES = tuple(
    Route("POST", path, fetch, KEY_FOR_MESSAGES, About.ACCOUNT) for path in _FETCH_PATHS
)
