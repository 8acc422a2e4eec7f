"""A DLT template: a text registered with India's operators, with its two ids (C-30)."""

from __future__ import annotations

from datetime import datetime

import attrs
from attrs import frozen

from ..conditions import Release, SoleHolder
from ..decider import Decider, Decision, as_the_first, begun
from ..errors import FieldProblem, UnknownIdError, ValidationFailedError
from ..event import Event
from ..limits import NO_CONTROLS, has_controls

MAX_ID_LENGTH = 64
MAX_TEXT_LENGTH = 4_096


class DltTemplateNotFoundError(UnknownIdError):
    """No DLT template has this id."""

    code = "dlt_template_not_found"
    kind = "DLT template"


@frozen(kw_only=True)
class DltTemplateRegistered(Event):
    """A DLT template was registered; its `template_id` is unique in its account."""

    account_id: str
    template_id: str
    entity_id: str
    text: str


@frozen(kw_only=True)
class DltTemplateRemoved(Event):
    """A DLT template was removed and is no longer matched with texts; final."""


DltTemplateEvent = DltTemplateRegistered | DltTemplateRemoved


@frozen(kw_only=True)
class DltTemplate:
    """The state of a DLT template."""

    account_id: str
    template_id: str
    entity_id: str
    text: str
    created_at: datetime
    removed_at: datetime | None = None


def dlt_template_name(account_id: str, template_id: str) -> str:
    """Return the subject under which an operator's template id is unique in an account."""
    return f"dlt-template:{account_id}:{template_id}"


def register(record_id: str, registered: DltTemplateRegistered) -> Decision:
    """Register a template; its operator's id must be unique in the account."""
    lengths = (
        ("template_id", registered.template_id, MAX_ID_LENGTH),
        ("entity_id", registered.entity_id, MAX_ID_LENGTH),
        ("text", registered.text, MAX_TEXT_LENGTH),
    )
    problems = [
        FieldProblem(name, f"must have 1 to {most} characters")
        for name, value, most in lengths
        if not 1 <= len(value) <= most
    ]
    problems += [
        FieldProblem(name, NO_CONTROLS)
        for name in ("template_id", "entity_id")
        if has_controls(getattr(registered, name))
    ]
    if problems:
        raise ValidationFailedError(problems)
    subject = dlt_template_name(registered.account_id, registered.template_id)
    return Decision((registered,), (SoleHolder(subject, record_id),))


def remove(template: DltTemplate, record_id: str, at: datetime) -> Decision:
    """Remove a template and free its operator's id; nothing happens when it is removed already."""
    if template.removed_at is not None:
        return Decision()
    subject = dlt_template_name(template.account_id, template.template_id)
    return Decision((DltTemplateRemoved(at=at),), (Release(subject, record_id),))


def begin(event: DltTemplateRegistered) -> DltTemplate:
    """Return the state after the first event."""
    return begun(DltTemplate, event)


def evolve(template: DltTemplate, event: DltTemplateRemoved) -> DltTemplate:
    """Apply a later event."""
    return attrs.evolve(template, removed_at=event.at)


def redecide(template: DltTemplate | None, event: DltTemplateEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if template is None or isinstance(event, DltTemplateRegistered):
        return as_the_first(template, event)
    return remove(template, "", event.at)


dlt_template_decider: Decider[DltTemplate] = Decider(
    "dlt_template", begin, (DltTemplateRegistered,), evolve, (DltTemplateRemoved,)
)
