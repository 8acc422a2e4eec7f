"""The record of a WhatsApp template."""

from __future__ import annotations

from ...domain.channel import Channel
from ...domain.whatsapp_template import WhatsappTemplate, template_name, whatsapp_template_decider
from ...domain.whatsapp_template.redeciding import redecide
from .message_template import MESSAGE_TEMPLATES, MessageTemplateRow
from .record import Record


def _row(stream: str, template: WhatsappTemplate) -> MessageTemplateRow:
    return MessageTemplateRow(
        id=stream,
        account_id=template.account_id,
        channel=str(Channel.WHATSAPP),
        sender_profile=None,
        name=template.name,
        language=template.language,
        category=str(template.category),
        status=str(template.status),
        created_at=template.created_at,
        updated_at=template.updated_at,
    )


def _holds(template: WhatsappTemplate) -> frozenset[str]:
    return frozenset({template_name(template.account_id, template.name, template.language)})


WHATSAPP_TEMPLATE = Record(
    decider=whatsapp_template_decider,
    prefix="wat",
    state=WhatsappTemplate,
    redecide=redecide,
    read_model=MESSAGE_TEMPLATES,
    project=_row,
    holds=_holds,
)
