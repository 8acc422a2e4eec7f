"""Choosing the WhatsApp template that a caller means by an id or a name alone (C-62)."""

from __future__ import annotations

from ...domain.approval import ApprovalStatus
from ...domain.channel import Channel
from ...domain.message_template import MessageTemplateNotFoundError
from ...domain.whatsapp_template import WhatsappTemplate, whatsapp_template_decider
from ..journal import Journal
from .finding_templates import templates_named


class ChoosingTemplates:
    """Chooses among the templates of an account."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def whatsapp(self, account_id: str, id_or_name: str) -> WhatsappTemplate:
        """
        Give the template of this id, or of this name.

        In several languages it is the oldest that is approved, or the oldest (D-103). Raises
        `MessageTemplateNotFoundError`.
        """
        template_id = id_or_name
        template = (await self._journal.load(whatsapp_template_decider, template_id)).state
        if template.account_id != account_id:
            template_id = await self._named(account_id, id_or_name)
            template = (await self._journal.load(whatsapp_template_decider, template_id)).state
        return template

    async def _named(self, account_id: str, name: str) -> str:
        found = await templates_named(self._journal, account_id, Channel.WHATSAPP, name)
        approved = [row for row in found if row.status == ApprovalStatus.APPROVED]
        if not found:
            raise MessageTemplateNotFoundError(Channel.WHATSAPP, name)
        return (approved or found)[0].id
