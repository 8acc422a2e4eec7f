"""The views of message templates (SPEC 2.4, C-54)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ...domain.approval import ApprovalStatus
from ...domain.rcs_template import (
    HostedFile,
    MessageType,
    RcsTemplate,
    TemplateState,
)
from ...domain.rcs_template import TemplateContent as RcsTemplateContent
from ...domain.whatsapp_template import Category, Submission, WhatsappTemplate
from ...domain.whatsapp_template import TemplateContent as WhatsappTemplateContent


@frozen(kw_only=True)
class RcsTemplateView:
    """An RCS template, its approval and the reason given for it."""

    id: str
    account_id: str
    sender_profile: str
    name: str
    message_type: MessageType
    content: RcsTemplateContent
    files: tuple[HostedFile, ...]
    template_state: TemplateState
    status: ApprovalStatus
    reason: str | None
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, template_id: str, template: RcsTemplate) -> RcsTemplateView:
        """Return the view of a created template."""
        return cls(
            id=template_id,
            account_id=template.account_id,
            sender_profile=template.sender_profile,
            name=template.name,
            message_type=template.message_type,
            content=template.content,
            files=template.files,
            template_state=template.template_state,
            status=template.status,
            reason=template.reason,
            created_at=template.created_at,
            updated_at=template.updated_at,
        )


@frozen(kw_only=True)
class WhatsappTemplateView:
    """A WhatsApp template, its approval, the reason given for it, and its submission (C-99)."""

    id: str
    account_id: str
    name: str
    language: str
    content: WhatsappTemplateContent
    status: ApprovalStatus
    reason: str | None
    submission: Submission | None
    created_at: datetime
    updated_at: datetime

    @property
    def category(self) -> Category:
        """The purpose of the template."""
        return self.content.category

    @classmethod
    def of(cls, template_id: str, template: WhatsappTemplate) -> WhatsappTemplateView:
        """Return the view of a created template."""
        return cls(
            id=template_id,
            account_id=template.account_id,
            name=template.name,
            language=template.language,
            content=template.content,
            status=template.status,
            reason=template.reason,
            submission=template.submission,
            created_at=template.created_at,
            updated_at=template.updated_at,
        )
