"""Repeat the decisions that a WhatsApp template's events record, each on the state before it (D-157)."""

from __future__ import annotations

from typing import assert_never

from ..approval import Review
from ..decider import Decision, as_the_first
from .decide import approve, reject
from .decide_submission import (
    begin_submission,
    end_submission,
    put_off_submission,
    record_submitted,
    request_submission,
)
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
from .states import WhatsappTemplate, WhatsappTemplateEvent


def redecide(template: WhatsappTemplate | None, event: WhatsappTemplateEvent) -> Decision:
    """Repeat the decision that an event records."""
    if template is None or isinstance(event, WhatsappTemplateCreated):
        return as_the_first(template, event)
    match event:
        case WhatsappTemplateApproved():
            return approve(template, _review(event))
        case WhatsappTemplateRejected():
            return reject(template, _review(event))
        case WhatsappSubmissionRequested():
            return request_submission(template, event)
        case WhatsappSubmissionBegun():
            return begin_submission(template, event)
        case WhatsappSubmissionPutOff():
            return put_off_submission(template, event)
        case WhatsappSubmissionEnded():
            # The rejection that may follow is decided by itself.
            return end_submission(template, event)
        case WhatsappTemplateSubmitted():
            return record_submitted(template, event)
        case _:
            assert_never(event)


def _review(event: WhatsappTemplateApproved | WhatsappTemplateRejected) -> Review:
    return Review(at=event.at, reason=event.reason, by_provider=event.by_provider)
