"""Repeat the decisions that a WhatsApp template's events record, each on the state before it (D-157)."""

from __future__ import annotations

from typing import assert_never

from ..approval import Review
from ..decider import Decision, as_the_first
from .decide import approve, reject
from .events import WhatsappTemplateApproved, WhatsappTemplateCreated, WhatsappTemplateRejected
from .states import WhatsappTemplate, WhatsappTemplateEvent


def redecide(template: WhatsappTemplate | None, event: WhatsappTemplateEvent) -> Decision:
    """Repeat the decision that an event records."""
    if template is None or isinstance(event, WhatsappTemplateCreated):
        return as_the_first(template, event)
    match event:
        case WhatsappTemplateApproved():
            return approve(template, Review(at=event.at, reason=event.reason))
        case WhatsappTemplateRejected():
            return reject(template, Review(at=event.at, reason=event.reason))
        case _:
            assert_never(event)
