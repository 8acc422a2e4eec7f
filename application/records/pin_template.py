"""The record of a PIN template."""

from __future__ import annotations

from datetime import datetime

from ...domain.pin_template import PinTemplate, TemplateStatus, pin_template_decider
from ...domain.pin_template.redeciding import redecide
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record

_STATUS_RANKS = {status: rank for rank, status in enumerate(TemplateStatus)}


@value(kw_only=True)
class PinTemplateRow(Row):
    """A PIN template in the list of templates; `status_rank` sorts by the order of declaration (C-17)."""

    id: str
    account_id: str
    name: str
    name_folded: str
    status: str
    status_rank: int
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime


def _row(stream: str, template: PinTemplate) -> PinTemplateRow:
    return PinTemplateRow(
        id=stream,
        account_id=template.account_id,
        name=template.name,
        name_folded=template.name.casefold(),
        status=str(template.status),
        status_rank=_STATUS_RANKS[template.status],
        archived_at=template.archived_at,
        created_at=template.created_at,
        updated_at=template.updated_at,
    )


PIN_TEMPLATE = Record(
    decider=pin_template_decider,
    prefix="tpl",
    state=PinTemplate,
    redecide=redecide,
    read_model=ReadModel(
        row=PinTemplateRow,
        name="pin_templates",
        found_by=(FoundBy("pin_templates_by_account", ("account_id", "created_at")),),
        changing=("name", "name_folded", "status", "status_rank", "archived_at", "updated_at"),
    ),
    project=_row,
)
