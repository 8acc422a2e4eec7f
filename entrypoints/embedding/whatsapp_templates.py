"""WhatsApp templates for embedders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...application.message_templates.template_kinds import WHATSAPP_TEMPLATES
from ...application.message_templates.views import WhatsappTemplateView
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ..message_templates.whatsapp_reading import template_definition
from ..wire.strict_json import as_from_json
from ..wire.structuring import structure
from ..wire.typed_requests import WhatsappTemplateReview
from .leasing import Facade
from .references import Reference, account_filter, calling_for, documented, embedder, id_of


class WhatsappTemplates(Facade):
    """The WhatsApp templates of accounts, and their approval."""

    async def create(
        self,
        account: Reference,
        name: str,
        language: str,
        category: str,
        components: Sequence[Mapping[str, Any]],
    ) -> WhatsappTemplateView:
        """
        Create a template and submit it for approval; `components` have Meta's shape (C-26).

        Raises `ValidationFailedError` naming every violation, or `DuplicateNameError`.
        """
        given = {"name": name, "language": language, "category": category, "components": components}
        definition = template_definition(as_from_json(given))
        by = await calling_for(self._parts, account)
        return await self._parts.creating_whatsapp_templates.create(by, definition)

    async def get(self, template: Reference) -> WhatsappTemplateView:
        """Return a template; raise `MessageTemplateNotFoundError`."""
        return await self._parts.fetching_templates.get(
            embedder(self._parts, ""), WHATSAPP_TEMPLATES, id_of(template)
        )

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[WhatsappTemplateView]:
        """List templates, the newest first."""
        account_id = await account_filter(self._parts, account)
        paging = Paging.clamped(page, page_size)
        return await self._parts.fetching_templates.listed(account_id, WHATSAPP_TEMPLATES, paging)

    async def submit(self, template: Reference) -> WhatsappTemplateView:
        """
        Have a template submitted at once, by the account's oldest channel account that does so (C-99).

        Raises `TemplateNotSubmittableError` if there is none.
        """
        by = embedder(self._parts, "")
        return await self._parts.submitting_whatsapp_templates.submit(by, id_of(template))

    async def approve(self, template: Reference, reason: str | None = None) -> WhatsappTemplateView:
        """Allow sends under a template."""
        by, why = embedder(self._parts, ""), _checked(reason)
        return await self._parts.reviewing_whatsapp_templates.approve(by, id_of(template), why)

    async def reject(self, template: Reference, reason: str | None = None) -> WhatsappTemplateView:
        """Forbid sends under a template."""
        by, why = embedder(self._parts, ""), _checked(reason)
        return await self._parts.reviewing_whatsapp_templates.reject(by, id_of(template), why)


def _checked(reason: str | None) -> str | None:
    return structure(documented(reason=reason), WhatsappTemplateReview).reason or None
