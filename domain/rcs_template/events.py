"""What happens to an RCS template."""

from __future__ import annotations

from attrs import frozen

from ..event import Event, personal
from .content import HostedFile, MessageType, TemplateContent


@frozen(kw_only=True)
class RcsTemplateCreated(Event):
    """A template was created as a draft; `update_by` is whom its author named (SPEC 2.1)."""

    account_id: str
    sender_profile: str
    name: str
    message_type: MessageType
    update_by: str = personal()
    content: TemplateContent
    files: tuple[HostedFile, ...] = ()


@frozen(kw_only=True)
class RcsTemplateSubmitted(Event):
    """A template was put up for approval."""


@frozen(kw_only=True)
class RcsTemplateApproved(Event):
    """Messages may be sent under the template from now on."""

    reason: str | None = None


@frozen(kw_only=True)
class RcsTemplateRejected(Event):
    """No messages may be sent under the template, or none any more."""

    reason: str | None = None
