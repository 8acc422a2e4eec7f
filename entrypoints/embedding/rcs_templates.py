"""RCS templates for embedders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...application.message_templates.fetching_templates import TemplateFilters
from ...application.message_templates.rcs_template_record import RcsTemplateRecord
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ...domain.channel import Channel
from ..rcs_templates.forms import TEXTS, read_form
from ..strict_json import json_text
from ..wiring import Wired
from .references import Reference, account_filter, acting_for, embedder, id_of


class RcsTemplates:
    """The RCS templates of accounts, and their approval; records come with files' media by id."""

    def __init__(self, parts: Wired) -> None:
        self._parts = parts

    async def create(
        self,
        account: Reference,
        data: Mapping[str, Any],
        sender_profile_name: str,
        update_by: str,
        message_type: str,
    ) -> RcsTemplateRecord:
        """
        Create a template (A1); `data` has the wire's spelling (C-65).

        Raises `ValidationFailedError` naming every violation, `DuplicateNameError`.
        """
        around = structure(
            documented(
                sender_profile=sender_profile_name, update_by=update_by, message_type=message_type
            ),
            _AroundData,
        )
        texts = {"sender_profile_name": around.sender_profile}
        form = read_form(
            {"data": json_text(data), "update_by": around.update_by, "message_type": around.message_type} | texts
        )
        by = await acting_for(self._parts, account)
        return await self._parts.creating_rcs_templates.create(
            by,
            sender_profile=form.sender_profile,
            message_type=form.message_type,
            update_by=form.update_by,
            definition=form.definition,
        )

    async def get(self, template: Reference) -> RcsTemplateRecord:
        """Give a template; raises `NamedTemplateNotFoundError`."""
        return await self._parts.reviewing_rcs_templates.get(id_of(template))

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[RcsTemplateRecord]:
        """List templates, the newest first."""
        account_id = await account_filter(self._parts, account)
        paging = Paging.clamped(page, page_size)
        filters = TemplateFilters(channel=Channel.RCS)
        return await self._parts.fetching_templates.listed(account_id, filters, paging)

    async def submit(self, template: Reference) -> RcsTemplateRecord:
        """Put a draft up for approval."""
        by = embedder(self._parts, "")
        return await self._parts.reviewing_rcs_templates.submit(by, id_of(template))

    async def approve(self, template: Reference, reason: str | None = None) -> RcsTemplateRecord:
        """Allow sends under a template; raises `TemplateNotSubmittedError` for a draft."""
        by = embedder(self._parts, "")
        return await self._parts.reviewing_rcs_templates.approve(by, id_of(template), reason)

    async def reject(self, template: Reference, reason: str | None = None) -> RcsTemplateRecord:
        """Forbid sends under a template; raises `TemplateNotSubmittedError` for a draft."""
        by = embedder(self._parts, "")
        return await self._parts.reviewing_rcs_templates.reject(by, id_of(template), reason)
