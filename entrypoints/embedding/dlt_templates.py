"""DLT templates for embedders."""

from __future__ import annotations

from ...application.accounts.views import DltTemplateView
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ..wire.structuring import structure
from ..wire.typed_requests import NewDltTemplate
from .leasing import Facade
from .references import Reference, account_filter, acting_for, documented, embedder, id_of


class DltTemplates(Facade):
    """Texts that accounts have registered with their DLT operators (C-30)."""

    async def create(
        self, account: Reference, template_id: str, entity_id: str, text: str
    ) -> DltTemplateView:
        """Register a text with both of its ids; `{#var#}` in it matches 0 to 30 characters."""
        given = documented(template_id=template_id, entity_id=entity_id, text=text)
        body = structure(given, NewDltTemplate)
        return await self._parts.dlt_templates.create(
            await acting_for(self._parts, account),
            template_id=body.template_id,
            entity_id=body.entity_id,
            text=body.text,
        )

    async def get(self, dlt_template: Reference) -> DltTemplateView:
        """Return a template by the id of its record; raise `DltTemplateNotFoundError`."""
        return await self._parts.dlt_templates.get(embedder(self._parts, ""), id_of(dlt_template))

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[DltTemplateView]:
        """List the registered texts, the newest first."""
        account_id = await account_filter(self._parts, account)
        return await self._parts.dlt_templates.list(account_id, Paging.clamped(page, page_size))

    async def remove(self, dlt_template: Reference) -> DltTemplateView:
        """Remove a template; raise `DltTemplateNotFoundError`."""
        return await self._parts.dlt_templates.remove(
            embedder(self._parts, ""), id_of(dlt_template)
        )
