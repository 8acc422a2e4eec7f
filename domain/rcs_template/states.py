"""The state of an RCS template."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never, get_args

import attrs
from attrs import frozen

from ..approval import ApprovalStatus
from ..decider import Decider
from .content import HostedFile, MessageType, TemplateContent, TemplateState
from .events import (
    RcsTemplateApproved,
    RcsTemplateCreated,
    RcsTemplateRejected,
    RcsTemplateSubmitted,
)

LaterRcsTemplateEvent = RcsTemplateSubmitted | RcsTemplateApproved | RcsTemplateRejected
RcsTemplateEvent = RcsTemplateCreated | LaterRcsTemplateEvent


@frozen(kw_only=True)
class RcsTemplate:
    """The state of a template: its content, its approval and the reason given for it."""

    account_id: str
    sender_profile: str
    name: str
    message_type: MessageType
    content: TemplateContent
    files: tuple[HostedFile, ...]
    template_state: TemplateState = TemplateState.CREATE
    status: ApprovalStatus = ApprovalStatus.PENDING
    reason: str | None = None
    created_at: datetime
    updated_at: datetime


def begin(event: RcsTemplateCreated) -> RcsTemplate:
    """Return the state after the first event."""
    return RcsTemplate(
        account_id=event.account_id,
        sender_profile=event.sender_profile,
        name=event.name,
        message_type=event.message_type,
        content=event.content,
        files=event.files,
        created_at=event.at,
        updated_at=event.at,
    )


def evolve(template: RcsTemplate, event: LaterRcsTemplateEvent) -> RcsTemplate:
    """Apply a later event."""
    match event:
        case RcsTemplateSubmitted():
            changed = attrs.evolve(
                template,
                template_state=TemplateState.SUBMIT,
                status=ApprovalStatus.PENDING,
                reason=None,
            )
        case RcsTemplateApproved():
            changed = attrs.evolve(template, status=ApprovalStatus.APPROVED, reason=event.reason)
        case RcsTemplateRejected():
            changed = attrs.evolve(template, status=ApprovalStatus.REJECTED, reason=event.reason)
        case _:
            assert_never(event)
    return attrs.evolve(changed, updated_at=event.at)


rcs_template_decider: Decider[RcsTemplate] = Decider(
    "rcs_template", begin, (RcsTemplateCreated,), evolve, get_args(LaterRcsTemplateEvent)
)
