"""Records of templates of either channel, from the streams behind the rows of a list."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...domain.channel import Channel
from ...domain.decider import Decider
from ...domain.rcs_template import rcs_template_decider
from ..journal import Journal
from ..read_models.rows import MessageTemplateRow
from .rcs_template_record import RcsTemplateRecord, rcs_template_record

TemplateRecord = RcsTemplateRecord

# How the record of a channel's template comes about.
_MADE: Mapping[str, tuple[Decider[Any], Callable[[str, Any], TemplateRecord]]] = {
    Channel.RCS: (rcs_template_decider, rcs_template_record),
}


async def records_of(
    journal: Journal, rows: Sequence[MessageTemplateRow]
) -> Sequence[TemplateRecord]:
    """Give the record of each row, from its stream."""

    async def made(row: MessageTemplateRow) -> TemplateRecord:
        decider, record = _MADE[row.channel]
        return record(row.id, (await journal.load(decider, row.id)).state)

    return await asyncio.gather(*map(made, rows))
