"""Repeat the decisions that an RCS template's events record, each on the state before it (D-157)."""

from __future__ import annotations

from typing import assert_never

from ..approval import Review
from ..decider import Decision, as_the_first
from .commands import SubmitRcsTemplate
from .decide import approve, reject, submit
from .events import (
    RcsTemplateApproved,
    RcsTemplateCreated,
    RcsTemplateRejected,
    RcsTemplateSubmitted,
)
from .states import RcsTemplate, RcsTemplateEvent


def redecide(template: RcsTemplate | None, event: RcsTemplateEvent) -> Decision:
    """Repeat the decision that an event records; raises what the decision raises."""
    if template is None or isinstance(event, RcsTemplateCreated):
        return as_the_first(template, event)
    match event:
        case RcsTemplateSubmitted():
            return submit(template, SubmitRcsTemplate(at=event.at))
        case RcsTemplateApproved():
            return approve(template, Review(at=event.at, reason=event.reason))
        case RcsTemplateRejected():
            return reject(template, Review(at=event.at, reason=event.reason))
        case _:
            assert_never(event)
