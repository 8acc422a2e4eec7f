"""Message templates as use cases give them: all that their events left, with their ids (SPEC 2.4, C-54)."""

from __future__ import annotations

from datetime import datetime

import attrs
from attrs import frozen

from ...domain.rcs_template import RcsTemplate
from ...domain.whatsapp_template import WhatsappTemplate


@frozen(kw_only=True)
class RcsTemplateRecord(RcsTemplate):
    """An RCS template that was created."""

    id: str
    created_at: datetime
    updated_at: datetime


@frozen(kw_only=True)
class WhatsappTemplateRecord(WhatsappTemplate):
    """A WhatsApp template that was created."""

    id: str
    created_at: datetime
    updated_at: datetime


def rcs_template_record(template_id: str, template: RcsTemplate) -> RcsTemplateRecord:
    """Give the record of a template."""
    return RcsTemplateRecord(id=template_id, **attrs.asdict(template, recurse=False))


def whatsapp_template_record(
    template_id: str, template: WhatsappTemplate
) -> WhatsappTemplateRecord:
    """Give the record of a template."""
    return WhatsappTemplateRecord(id=template_id, **attrs.asdict(template, recurse=False))
