"""An RCS template as use cases give it (SPEC 2.4)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ...domain.approval import ApprovalStatus
from ...domain.rcs_template import (
    HostedFile,
    MessageType,
    RcsTemplate,
    TemplateContent,
    TemplateState,
)


@frozen(kw_only=True)
class RcsTemplateRecord:
    """A template with its approval; `reason` is the last review's, `files` came with the create."""

    id: str
    account_id: str
    sender_profile: str
    name: str
    message_type: MessageType
    content: TemplateContent
    files: tuple[HostedFile, ...]
    template_state: TemplateState
    status: ApprovalStatus
    reason: str | None
    created_at: datetime
    updated_at: datetime


def rcs_template_record(stream: str, template: RcsTemplate) -> RcsTemplateRecord:
    """Give the record of a template that was created."""
    assert template.created_at is not None
    assert template.updated_at is not None
    return RcsTemplateRecord(
        id=stream,
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
