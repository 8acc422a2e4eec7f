"""The record of an RCS template."""

from __future__ import annotations

from ...domain.channel import Channel
from ...domain.rcs_template import RcsTemplate, rcs_template_decider, template_name
from ...domain.rcs_template.redeciding import redecide
from .message_template import MESSAGE_TEMPLATES, MessageTemplateRow
from .record import Record


def _row(stream: str, template: RcsTemplate) -> MessageTemplateRow:
    return MessageTemplateRow(
        id=stream,
        account_id=template.account_id,
        channel=str(Channel.RCS),
        sender_profile=template.sender_profile,
        name=template.name,
        language=None,
        category=str(template.message_type),
        status=str(template.status),
        created_at=template.created_at,
        updated_at=template.updated_at,
    )


def _holds(template: RcsTemplate) -> frozenset[str]:
    return frozenset({template_name(template.account_id, template.sender_profile, template.name)})


RCS_TEMPLATE = Record(
    decider=rcs_template_decider,
    prefix="rct",
    state=RcsTemplate,
    redecide=redecide,
    read_model=MESSAGE_TEMPLATES,
    project=_row,
    holds=_holds,
)
