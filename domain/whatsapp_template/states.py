"""The state of a WhatsApp template."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never, get_args

import attrs
from attrs import frozen

from ..approval import ApprovalStatus
from ..decider import Decider
from .content import Category, TemplateContent
from .events import WhatsappTemplateApproved, WhatsappTemplateCreated, WhatsappTemplateRejected

LaterWhatsappTemplateEvent = WhatsappTemplateApproved | WhatsappTemplateRejected
WhatsappTemplateEvent = WhatsappTemplateCreated | LaterWhatsappTemplateEvent


@frozen(kw_only=True)
class WhatsappTemplate:
    """The state of a template: its content, its approval and the reason given for it."""

    account_id: str
    name: str
    language: str
    content: TemplateContent
    status: ApprovalStatus = ApprovalStatus.PENDING
    reason: str | None = None
    created_at: datetime
    updated_at: datetime

    @property
    def category(self) -> Category:
        """The purpose of the template."""
        return self.content.category


def begin(event: WhatsappTemplateCreated) -> WhatsappTemplate:
    """Return the state after the first event."""
    return WhatsappTemplate(
        account_id=event.account_id,
        name=event.name,
        language=event.language,
        content=event.content,
        created_at=event.at,
        updated_at=event.at,
    )


def evolve(template: WhatsappTemplate, event: LaterWhatsappTemplateEvent) -> WhatsappTemplate:
    """Apply a later event."""
    match event:
        case WhatsappTemplateApproved():
            changed = attrs.evolve(template, status=ApprovalStatus.APPROVED, reason=event.reason)
        case WhatsappTemplateRejected():
            changed = attrs.evolve(template, status=ApprovalStatus.REJECTED, reason=event.reason)
        case _:
            assert_never(event)
    return attrs.evolve(changed, updated_at=event.at)


whatsapp_template_decider: Decider[WhatsappTemplate] = Decider(
    "whatsapp_template",
    begin,
    (WhatsappTemplateCreated,),
    evolve,
    get_args(LaterWhatsappTemplateEvent),
)
