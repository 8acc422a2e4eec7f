"""The decisions on a WhatsApp template's approval (C-26, C-36)."""

from __future__ import annotations

from ..approval import ApprovalStatus, Review
from ..conditions import SoleHolder
from ..decider import Decision
from ..errors import ValidationFailedError
from .commands import CreateWhatsappTemplate
from .events import WhatsappTemplateApproved, WhatsappTemplateCreated, WhatsappTemplateRejected
from .states import WhatsappTemplate
from .violations import violations


def template_name(account_id: str, name: str, language: str) -> str:
    """Return the subject under which a template's name is unique in its account and language."""
    return f"whatsapp-template-name:{account_id}:{len(name)}:{name}:{language}"


def create(template_id: str, command: CreateWhatsappTemplate) -> Decision:
    """
    Create a template; its name must be unique in its account and language.

    Raises `ValidationFailedError` with all violations.
    """
    definition = command.definition
    if problems := violations(definition):
        raise ValidationFailedError(problems)
    created = WhatsappTemplateCreated(
        at=command.at,
        account_id=command.account_id,
        name=definition.name,
        language=definition.language,
        content=definition.content,
    )
    subject = template_name(command.account_id, definition.name, definition.language)
    return Decision((created,), (SoleHolder(subject, template_id),))


def approve(template: WhatsappTemplate, review: Review) -> Decision:
    """Allow sends; the last review decides."""
    if _is_known(template, review, ApprovalStatus.APPROVED):
        return Decision()
    approved = WhatsappTemplateApproved(
        at=review.at, reason=review.reason, by_provider=review.by_provider
    )
    return Decision((approved,))


def reject(template: WhatsappTemplate, review: Review) -> Decision:
    """Forbid sends, even if the template was approved before."""
    if _is_known(template, review, ApprovalStatus.REJECTED):
        return Decision()
    rejected = WhatsappTemplateRejected(
        at=review.at, reason=review.reason, by_provider=review.by_provider
    )
    return Decision((rejected,))


def _is_known(template: WhatsappTemplate, review: Review, status: ApprovalStatus) -> bool:
    """
    Return whether a review says nothing new.

    A provider repeats its decisions. One that it made before an operator decided otherwise does not undo
    the operator's (D-287).
    """
    known = template.providers_decision if review.by_provider else template.status
    return known is status
