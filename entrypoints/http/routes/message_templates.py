"""The fetch of RCS and WhatsApp templates (SPEC 4 A2, C)."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from ....application.message_templates.template_kinds import TemplateRecord
from ....application.message_templates.template_records import (
    RcsTemplateRecord,
    WhatsappTemplateRecord,
)
from ...media_addresses import AddressOf
from ...messaging.template_questions import template_question
from ...rcs_templates.writing import shown_rcs_template
from ...whatsapp_templates.writing import shown_whatsapp_template
from ...wiring import Wired
from ..answers import page_answer
from ..authentication import messaging_caller
from ..requests import json_read, media_addresses

# One endpoint under two names (C-19).
_FETCH_PATHS = ("/oapi/templates/fetch", "/templates/fetch")


class MessageTemplateRoutes:
    """What callers look up of their own templates."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [web.post(path, self.fetch) for path in _FETCH_PATHS]

    async def fetch(self, request: web.Request) -> web.Response:
        """A2: give one page of the account's templates, the newest first."""
        by = await messaging_caller(request, self._service)
        _, asked = await json_read(request, template_question)
        found = await self._service.fetching_templates.fetch(
            by.account_id, asked.filters, asked.page_no, asked.limit
        )
        address_of = media_addresses(request, self._service)
        shown = [_shown(each, address_of) for each in found]
        return page_answer(asked.page_no, asked.limit, shown).response(by.request_id)


def _shown(record: TemplateRecord, address_of: AddressOf) -> dict[str, Any]:
    match record:
        case RcsTemplateRecord():
            return shown_rcs_template(record, address_of)
        case WhatsappTemplateRecord():
            return shown_whatsapp_template(record)
