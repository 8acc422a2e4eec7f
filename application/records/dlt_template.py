"""The record of a registered DLT template."""

from __future__ import annotations

from datetime import datetime

from ...domain.dlt.template import DltTemplate, dlt_template_decider, dlt_template_name, redecide
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class DltTemplateRow(Row):
    """A registered DLT template (C-30)."""

    id: str
    account_id: str
    template_id: str
    entity_id: str
    text: str
    created_at: datetime
    removed_at: datetime | None


def dlt_template_row(stream: str, template: DltTemplate) -> DltTemplateRow:
    """Return the row of a DLT template."""
    return DltTemplateRow(
        id=stream,
        account_id=template.account_id,
        template_id=template.template_id,
        entity_id=template.entity_id,
        text=template.text,
        created_at=template.created_at,
        removed_at=template.removed_at,
    )


def _holds(template: DltTemplate) -> frozenset[str]:
    if template.removed_at is not None:
        return frozenset()
    return frozenset({dlt_template_name(template.account_id, template.template_id)})


DLT_TEMPLATE = Record(
    decider=dlt_template_decider,
    prefix="dlt",
    state=DltTemplate,
    redecide=redecide,
    read_model=ReadModel(
        row=DltTemplateRow,
        name="dlt_templates",
        found_by=(FoundBy("dlt_templates_by_account", ("account_id", "removed_at", "created_at")),),
        changing=("removed_at",),
    ),
    project=dlt_template_row,
    holds=_holds,
)
