"""A WhatsApp template as its events left it."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never, get_args

import attrs
from attrs import frozen

from ..approval import ApprovalStatus
from ..decider import Decider
from .content import AuthenticationContent, Category, TemplateContent
from .events import WhatsappTemplateApproved, WhatsappTemplateCreated, WhatsappTemplateRejected

WhatsappTemplateEvent = (
    WhatsappTemplateCreated | WhatsappTemplateApproved | WhatsappTemplateRejected
)


@frozen(kw_only=True)
class WhatsappTemplate:
    """A template, its approval, and the reason that was given for it."""

    account_id: str = ""
    name: str = ""
    language: str = ""
    # Until it is known, and nothing is sent under what is not: a template that carries a code.
    content: TemplateContent = AuthenticationContent(components=())
    status: ApprovalStatus = ApprovalStatus.PENDING
    reason: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None

    @property
    def category(self) -> Category:
        """What the template is for."""
        return self.content.category


def evolve(template: WhatsappTemplate, event: WhatsappTemplateEvent) -> WhatsappTemplate:
    """Apply one event."""
    match event:
        case WhatsappTemplateCreated():
            changed = WhatsappTemplate(
                account_id=event.account_id,
                name=event.name,
                language=event.language,
                content=event.content,
                created_at=event.at,
            )
        case WhatsappTemplateApproved():
            changed = attrs.evolve(template, status=ApprovalStatus.APPROVED, reason=event.reason)
        case WhatsappTemplateRejected():
            changed = attrs.evolve(template, status=ApprovalStatus.REJECTED, reason=event.reason)
        case _:
            assert_never(event)
    return attrs.evolve(changed, updated_at=event.at)


whatsapp_template_decider: Decider[WhatsappTemplate] = Decider(
    "whatsapp_template", WhatsappTemplate(), evolve, get_args(WhatsappTemplateEvent)
)
