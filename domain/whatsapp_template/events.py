"""The events of a WhatsApp template."""

from __future__ import annotations

from attrs import frozen

from ..event import Event
from .content import TemplateContent


@frozen(kw_only=True)
class WhatsappTemplateCreated(Event):
    """A template was created and submitted for approval (C-26)."""

    account_id: str
    name: str
    language: str
    content: TemplateContent


@frozen(kw_only=True)
class WhatsappTemplateApproved(Event):
    """The template was approved; sends under it are allowed."""

    reason: str | None = None


@frozen(kw_only=True)
class WhatsappTemplateRejected(Event):
    """The template was rejected; sends under it are refused."""

    reason: str | None = None
