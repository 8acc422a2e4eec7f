"""The demo's message templates, one for each channel that has templates (C-4)."""

from __future__ import annotations

from contextlib import suppress

from ...application.caller import Caller
from ...application.message_templates.template_kinds import RCS_TEMPLATES, WHATSAPP_TEMPLATES
from ...domain.approval import ApprovalStatus
from ...domain.errors import DuplicateNameError
from ...domain.rcs_template import MessageType, TextMessage
from ...domain.rcs_template import TemplateDefinition as RcsDefinition
from ...domain.whatsapp_template import Body, Category, WordedContent
from ...domain.whatsapp_template import TemplateDefinition as WhatsappDefinition
from ..wired import Wired

NAME = "demo"
LANGUAGE = "en"
RCS_SENDER_PROFILE = "Watchword"
RCS_TEXT = "Hello [name], your order [order] is on its way."
WHATSAPP_TEXT = "Hello {{1}}, your order {{2}} is on its way."


async def seed_message_templates(service: Wired, by: Caller) -> None:
    """Create and approve the missing templates; a template that an operator rejected stays rejected."""
    with suppress(DuplicateNameError):
        await service.creating_rcs_templates.create(
            by,
            sender_profile=RCS_SENDER_PROFILE,
            message_type=MessageType.TRANSACTIONAL,
            update_by="sandbox",
            definition=RcsDefinition(name=NAME, content=TextMessage(text_message_content=RCS_TEXT)),
        )
    rcs_id = await service.finding_templates.rcs_template(by.account_id, NAME, RCS_SENDER_PROFILE)
    rcs = await service.fetching_templates.get(by, RCS_TEMPLATES, rcs_id)
    if rcs.status is ApprovalStatus.PENDING:
        await service.reviewing_rcs_templates.approve(by, rcs_id)
    with suppress(DuplicateNameError):
        await service.creating_whatsapp_templates.create(
            by,
            WhatsappDefinition(
                name=NAME,
                language=LANGUAGE,
                content=WordedContent(
                    category=Category.UTILITY, components=(Body(text=WHATSAPP_TEXT),)
                ),
            ),
        )
    whatsapp_id = await service.finding_templates.whatsapp_template(by.account_id, NAME, LANGUAGE)
    whatsapp = await service.fetching_templates.get(by, WHATSAPP_TEMPLATES, whatsapp_id)
    if whatsapp.status is ApprovalStatus.PENDING:
        await service.reviewing_whatsapp_templates.approve(by, whatsapp_id)
