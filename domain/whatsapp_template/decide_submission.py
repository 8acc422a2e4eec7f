"""The decisions on the submission of a WhatsApp template to its provider (C-99, D-284)."""

from __future__ import annotations

from ..approval import Review
from ..decider import Decision
from .decide import approve, reject
from .events import (
    WhatsappSubmissionBegun,
    WhatsappSubmissionEnded,
    WhatsappSubmissionPutOff,
    WhatsappSubmissionRequested,
    WhatsappTemplateSubmitted,
)
from .states import WhatsappTemplate, evolve
from .submission import SubmissionStatus


def request_submission(
    template: WhatsappTemplate, requested: WhatsappSubmissionRequested
) -> Decision:
    """
    Have a template submitted, also after the attempts ended; a rejected one is pending again.

    Nothing happens while an attempt is under way, nor if that channel account has submitted it already.
    """
    submission = template.submission
    if submission is not None:
        has_it = submission.status is SubmissionStatus.SUBMITTED
        if has_it and submission.channel_account_id == requested.channel_account_id:
            return Decision()
        if submission.is_under_way(requested.at):
            return Decision()
    return Decision((requested,))


def begin_submission(template: WhatsappTemplate, begun: WhatsappSubmissionBegun) -> Decision:
    """Begin an attempt that is due; nothing happens when none is, or another process began it."""
    submission = template.submission
    if submission is None or submission.due_at is None or begun.at < submission.due_at:
        return Decision()
    if begun.attempt != submission.attempts + 1:
        return Decision()
    return Decision((begun,))


def put_off_submission(template: WhatsappTemplate, put_off: WhatsappSubmissionPutOff) -> Decision:
    """Record that the newest attempt failed, and when the next one follows."""
    return Decision((put_off,) if _is_newest(template, put_off.attempt) else ())


def end_submission(
    template: WhatsappTemplate, ended: WhatsappSubmissionEnded, refusal: Review | None = None
) -> Decision:
    """End the attempts; a provider's `refusal` also rejects the template."""
    if not _is_newest(template, ended.attempt):
        return Decision()
    decision = Decision((ended,))
    if refusal is None:
        return decision
    return decision.followed_by(reject(evolve(template, ended), refusal))


def record_submitted(
    template: WhatsappTemplate,
    submitted: WhatsappTemplateSubmitted,
    review: tuple[bool, Review] | None = None,
) -> Decision:
    """
    Record that the provider has the template, and its decision, if it has decided already.

    An attempt that was taken for lost may have submitted the template after all.
    """
    submission = template.submission
    if submission is None or submission.status is SubmissionStatus.SUBMITTED:
        return Decision()
    if not 1 <= submitted.attempt <= submission.attempts:
        return Decision()
    decision = Decision((submitted,))
    if review is None:
        return decision
    approved, given = review
    after = evolve(template, submitted)
    return decision.followed_by(approve(after, given) if approved else reject(after, given))


def _is_newest(template: WhatsappTemplate, attempt: int) -> bool:
    submission = template.submission
    if submission is None or not submission.under_way:
        return False
    return submission.attempts == attempt
