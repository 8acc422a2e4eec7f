"""A WhatsApp template as use cases give it (C-26, C-54)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ...domain.approval import ApprovalStatus
from ...domain.whatsapp_template import (
    Category,
    TemplateContent,
    TemplateDefinition,
    WhatsappTemplate,
)


@frozen(kw_only=True)
class WhatsappTemplateRecord:
    """A template with its approval; `reason` is the last review's."""

    id: str
    account_id: str
    name: str
    language: str
    content: TemplateContent
    status: ApprovalStatus
    reason: str | None
    created_at: datetime
    updated_at: datetime

    @property
    def category(self) -> Category:
        """What the template is for."""
        return self.content.category

    @property
    def definition(self) -> TemplateDefinition:
        """The template as its author gave it."""
        return TemplateDefinition(name=self.name, language=self.language, content=self.content)


def whatsapp_template_record(stream: str, template: WhatsappTemplate) -> WhatsappTemplateRecord:
    """Give the record of a template that was created."""
    assert template.created_at is not None
    assert template.updated_at is not None
    return WhatsappTemplateRecord(
        id=stream,
        account_id=template.account_id,
        name=template.name,
        language=template.language,
        content=template.content,
        status=template.status,
        reason=template.reason,
        created_at=template.created_at,
        updated_at=template.updated_at,
    )
