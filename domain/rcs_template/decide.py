"""The decisions on an RCS template's approval (SPEC section 3, C-24, C-36, C-55)."""

from __future__ import annotations

from ..approval import ApprovalStatus, Review
from ..conditions import SoleHolder
from ..decider import Decision
from ..errors import ValidationFailedError
from ..event import Event
from .commands import CreateRcsTemplate, SubmitRcsTemplate
from .content import MessageType, TemplateState
from .errors import TemplateNotSubmittedError
from .events import (
    RcsTemplateApproved,
    RcsTemplateCreated,
    RcsTemplateRejected,
    RcsTemplateSubmitted,
)
from .member_order import in_order
from .states import RcsTemplate
from .violations import form_problems, message_type_of, violations


def template_name(account_id: str, sender_profile: str, name: str) -> str:
    """Return the subject under which a template's name is unique in an account's sender profile (C-24)."""
    return f"rcs-template-name:{account_id}:{len(sender_profile)}:{sender_profile}:{name}"


def create(template_id: str, command: CreateRcsTemplate) -> Decision:
    """
    Create a template; its name must be unique in the sender profile. Submit it if requested.

    Raises `ValidationFailedError` with all violations.
    """
    definition = command.definition
    message_type = _checked(command)
    created = RcsTemplateCreated(
        at=command.at,
        account_id=command.account_id,
        sender_profile=command.sender_profile,
        name=definition.name,
        message_type=message_type,
        update_by=command.update_by,
        content=definition.content,
        files=command.hosted,
    )
    events: list[Event] = [created]
    if definition.template_state is not TemplateState.CREATE:
        events.append(RcsTemplateSubmitted(at=command.at))
    subject = template_name(command.account_id, command.sender_profile, definition.name)
    return Decision(tuple(events), (SoleHolder(subject, template_id),))


def submit(template: RcsTemplate, command: SubmitRcsTemplate) -> Decision:
    """Submit a draft, or a rejected template again."""
    waits = template.template_state is TemplateState.SUBMIT
    if waits and template.status is not ApprovalStatus.REJECTED:
        return Decision()
    return Decision((RcsTemplateSubmitted(at=command.at),))


def approve(template: RcsTemplate, review: Review) -> Decision:
    """Allow sends; the last review decides."""
    _refuse_draft(template)
    if template.status is ApprovalStatus.APPROVED:
        return Decision()
    return Decision((RcsTemplateApproved(at=review.at, reason=review.reason),))


def reject(template: RcsTemplate, review: Review) -> Decision:
    """Forbid sends, even if the template was approved before."""
    _refuse_draft(template)
    if template.status is ApprovalStatus.REJECTED:
        return Decision()
    return Decision((RcsTemplateRejected(at=review.at, reason=review.reason),))


def _checked(command: CreateRcsTemplate) -> MessageType:
    """Return the message type of a valid create; raise `ValidationFailedError` for an invalid one."""
    problems = [
        *violations(command.definition, command.files),
        *form_problems(command.sender_profile, command.update_by, command.message_type),
    ]
    message_type = message_type_of(command.message_type)
    if problems or message_type is None:
        raise ValidationFailedError(in_order(problems))
    return message_type


def _refuse_draft(template: RcsTemplate) -> None:
    if template.template_state is TemplateState.CREATE:
        raise TemplateNotSubmittedError(template.name)
