"""The state of a WhatsApp template."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never, get_args

import attrs
from attrs import frozen

from ..approval import ApprovalStatus
from ..decider import Decider
from .content import Category, TemplateContent
from .events import (
    WhatsappSubmissionBegun,
    WhatsappSubmissionEnded,
    WhatsappSubmissionPutOff,
    WhatsappSubmissionRequested,
    WhatsappTemplateApproved,
    WhatsappTemplateCreated,
    WhatsappTemplateRejected,
    WhatsappTemplateSubmitted,
)
from .submission import Submission, SubmissionStatus

ReviewEvent = WhatsappTemplateApproved | WhatsappTemplateRejected
SubmissionEvent = (
    WhatsappSubmissionRequested
    | WhatsappSubmissionBegun
    | WhatsappSubmissionPutOff
    | WhatsappSubmissionEnded
    | WhatsappTemplateSubmitted
)
LaterWhatsappTemplateEvent = ReviewEvent | SubmissionEvent
WhatsappTemplateEvent = WhatsappTemplateCreated | LaterWhatsappTemplateEvent


@frozen(kw_only=True)
class WhatsappTemplate:
    """
    The state of a template: its content, its approval and the reason given for it.

    `providers_decision` is the last one of the provider; an operator may have decided otherwise since.
    """

    account_id: str
    name: str
    language: str
    content: TemplateContent
    status: ApprovalStatus = ApprovalStatus.PENDING
    reason: str | None = None
    providers_decision: ApprovalStatus | None = None
    submission: Submission | None = None
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
            return _reviewed(template, event, ApprovalStatus.APPROVED)
        case WhatsappTemplateRejected():
            return _reviewed(template, event, ApprovalStatus.REJECTED)
        case WhatsappSubmissionRequested():
            return attrs.evolve(
                template if template.status is not ApprovalStatus.REJECTED else _pending(template),
                submission=_moved(template.submission, event),
                updated_at=event.at,
            )
        case _:
            return attrs.evolve(template, submission=_moved(template.submission, event))


def _pending(template: WhatsappTemplate) -> WhatsappTemplate:
    """Return a rejected template that is submitted again: the provider decides anew."""
    return attrs.evolve(
        template, status=ApprovalStatus.PENDING, reason=None, providers_decision=None
    )


def _reviewed(
    template: WhatsappTemplate, event: ReviewEvent, status: ApprovalStatus
) -> WhatsappTemplate:
    return attrs.evolve(
        template,
        status=status,
        reason=event.reason,
        providers_decision=status if event.by_provider else template.providers_decision,
        updated_at=event.at,
    )


def _moved(submission: Submission | None, event: SubmissionEvent) -> Submission:
    if isinstance(event, WhatsappSubmissionRequested):
        # Numbers of attempts are never used again, so a late outcome finds its own attempt.
        return Submission(
            channel_account_id=event.channel_account_id,
            requested_at=event.at,
            attempts=0 if submission is None else submission.attempts,
            due_at=event.at,
        )
    if submission is None:
        raise TypeError(f"{type(event).__name__} cannot precede the request of a submission")
    match event:
        case WhatsappSubmissionBegun():
            return attrs.evolve(
                submission, attempts=event.attempt, under_way=True, due_at=event.again_at
            )
        case WhatsappSubmissionPutOff():
            return attrs.evolve(
                submission,
                under_way=False,
                due_at=event.again_at,
                code=event.code,
                reason=event.reason,
            )
        case WhatsappSubmissionEnded():
            ended = submission.closed(SubmissionStatus.ENDED)
            return attrs.evolve(ended, code=event.code, reason=event.reason)
        case WhatsappTemplateSubmitted():
            return attrs.evolve(
                submission.closed(SubmissionStatus.SUBMITTED),
                code=None,
                reason=None,
                provider_template_id=event.provider_template_id,
                category=event.category,
            )
        case _:
            assert_never(event)


whatsapp_template_decider: Decider[WhatsappTemplate] = Decider(
    "whatsapp_template",
    begin,
    (WhatsappTemplateCreated,),
    evolve,
    (*get_args(ReviewEvent), *get_args(SubmissionEvent)),
)
