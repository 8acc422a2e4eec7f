"""Fetch templates: for callers, with filters and pages (SPEC 4 A2), and for operators (C-36)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import attrs
from attrs import frozen

from ...domain.approval import ApprovalStatus
from ...domain.channel import Channel
from ...domain.template_filling import MessageTemplateNotFoundError
from ..caller import Caller
from ..journal import Journal
from ..paging import MAX_PAGE_SIZE, Listed, Paging
from ..ports.listings import AtLeast, Equals, Filter, Query, of_account
from ..records.message_template import MessageTemplateRow
from ..repository import find_visible
from .template_kinds import (
    RCS_TEMPLATES,
    WHATSAPP_TEMPLATES,
    TemplateKind,
    TemplateView,
)

R = TypeVar("R")

_KINDS: Mapping[str, TemplateKind[Any, TemplateView]] = {
    RCS_TEMPLATES.channel: RCS_TEMPLATES,
    WHATSAPP_TEMPLATES.channel: WHATSAPP_TEMPLATES,
}


@frozen(kw_only=True)
class TemplateFilters:
    """
    The filters of a fetch, all exact; `since` is the earliest time of creation.

    `category` is an RCS template's message type, or a WhatsApp template's category.
    """

    channel: Channel
    sender_profile: str | None = None
    category: str | None = None
    status: ApprovalStatus | None = None
    since: datetime | None = None
    name: str | None = None


class FetchingTemplates:
    """Fetches complete templates, the newest first."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def fetch(
        self, account_id: str, filters: TemplateFilters, page_no: int, limit: int
    ) -> Sequence[TemplateView]:
        """Return a page of an account's templates; pages count from 0, with up to 100 entries (C-54)."""
        if not limit:
            return ()
        query = Query(
            rows=MessageTemplateRow,
            where=(Equals("account_id", account_id), *_where(filters)),
            page=page_no + 1,
            page_size=min(limit, MAX_PAGE_SIZE),
        )
        return await self._records(_KINDS[filters.channel], await self._journal.slice(query))

    async def get(self, by: Caller, kind: TemplateKind[Any, R], template_id: str) -> R:
        """Return one template of a channel; raises `MessageTemplateNotFoundError`."""
        loaded = await find_visible(self._journal, by, kind.decider, template_id)
        if loaded is None:
            raise MessageTemplateNotFoundError(kind.channel, template_id)
        return kind.view(template_id, loaded.state)

    async def listed(
        self, account_id: str | None, kind: TemplateKind[Any, R], paging: Paging
    ) -> Listed[R]:
        """List a channel's templates, of one account or of all."""
        where = (*of_account(account_id), *_where(TemplateFilters(channel=kind.channel)))
        listed: Listed[Any] = await self._journal.listed(
            Query(rows=MessageTemplateRow, where=where), paging
        )
        return attrs.evolve(listed, data=await self._records(kind, listed.data))

    async def _records(
        self, kind: TemplateKind[Any, R], rows: Sequence[MessageTemplateRow]
    ) -> Sequence[R]:
        """Return the view of each row, from its stream."""

        async def record(row: MessageTemplateRow) -> R:
            return kind.view(row.id, (await self._journal.load(kind.decider, row.id)).state)

        return await asyncio.gather(*map(record, rows))


def _where(filters: TemplateFilters) -> tuple[Filter, ...]:
    equal = {
        "channel": filters.channel,
        "name": filters.name,
        "sender_profile": filters.sender_profile,
        "category": filters.category,
        "status": filters.status,
    }
    where: list[Filter] = [
        Equals(column, str(value)) for column, value in equal.items() if value is not None
    ]
    if filters.since is not None:
        where.append(AtLeast("created_at", filters.since))
    return tuple(where)
