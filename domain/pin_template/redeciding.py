"""Repeat the decisions that a PIN template's events record, each on the state before it (D-157)."""

from __future__ import annotations

from typing import assert_never

from ..decider import Decision, as_the_first
from .commands import RevisePinTemplate, TemplateMark
from .decide import archive, disable, enable, revise
from .events import (
    PinTemplateArchived,
    PinTemplateCreated,
    PinTemplateDisabled,
    PinTemplateEnabled,
    PinTemplateRevised,
)
from .states import PinTemplate, PinTemplateEvent


def redecide(template: PinTemplate | None, event: PinTemplateEvent) -> Decision:
    """Repeat the decision that an event records; raises what the decision raises."""
    if template is None or isinstance(event, PinTemplateCreated):
        return as_the_first(template, event)
    match event:
        case PinTemplateRevised():
            revised = RevisePinTemplate(
                at=event.at,
                by=event.by,
                name=event.name,
                policy=event.policy,
                channels=event.channels,
            )
            return revise(template, revised)
        case PinTemplateEnabled():
            return enable(template, TemplateMark(at=event.at, by=event.by))
        case PinTemplateDisabled():
            return disable(template, TemplateMark(at=event.at, by=event.by))
        case PinTemplateArchived():
            return archive(template, TemplateMark(at=event.at, by=event.by))
        case _:
            assert_never(event)
