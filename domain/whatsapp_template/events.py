"""What happens to a WhatsApp template."""

from __future__ import annotations

from attrs import frozen

from ..event import Event
from .content import TemplateContent


@frozen(kw_only=True)
class WhatsappTemplateCreated(Event):
    """A template was created and put up for approval (C-26)."""

    account_id: str
    name: str
    language: str
    content: TemplateContent


@frozen(kw_only=True)
class WhatsappTemplateApproved(Event):
    """Messages may be sent under the template from now on."""

    reason: str | None = None


@frozen(kw_only=True)
class WhatsappTemplateRejected(Event):
    """No messages may be sent under the template, or none any more."""

    reason: str | None = None
