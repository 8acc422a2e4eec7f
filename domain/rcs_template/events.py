"""The events of an RCS template."""

from __future__ import annotations

from attrs import frozen

from ..event import Event, personal
from .content import HostedFile, MessageType, TemplateContent


@frozen(kw_only=True)
class RcsTemplateCreated(Event):
    """A template was created as a draft; `update_by` is the author's name (SPEC 2.1)."""

    account_id: str
    sender_profile: str
    name: str
    message_type: MessageType
    update_by: str = personal()
    content: TemplateContent
    files: tuple[HostedFile, ...] = ()


@frozen(kw_only=True)
class RcsTemplateSubmitted(Event):
    """A template was submitted for approval."""


@frozen(kw_only=True)
class RcsTemplateApproved(Event):
    """The template was approved; sends under it are allowed."""

    reason: str | None = None


@frozen(kw_only=True)
class RcsTemplateRejected(Event):
    """The template was rejected; sends under it are refused."""

    reason: str | None = None
