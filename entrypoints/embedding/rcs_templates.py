"""RCS templates for embedders."""

from __future__ import annotations

from collections.abc import AsyncIterable, Mapping
from pathlib import Path
from typing import Any

from ...application.message_templates.creating_rcs_templates import TemplateFiles
from ...application.message_templates.template_kinds import RCS_TEMPLATES
from ...application.message_templates.views import RcsTemplateView
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ...domain.rcs_template import UploadedFile
from ..message_templates.rcs_reading import read_form
from ..wire.strict_json import as_from_json, json_text
from ..wire.structuring import structure
from ..wire.typed_requests import RcsTemplateReview
from .leasing import Facade
from .media import pieces_of
from .references import Reference, account_filter, calling_for, documented, embedder, id_of


class RcsTemplates(Facade):
    """The RCS templates of accounts, and their approval."""

    async def create(
        self,
        account: Reference,
        *,
        data: Mapping[str, Any],
        sender_profile_name: str,
        update_by: str,
        message_type: str,
        multimedia_files: Mapping[str, bytes | AsyncIterable[bytes] | Path] | None = None,
    ) -> RcsTemplateView:
        """
        Create a template (A1); `data` has the wire's spelling (C-65), files go by name.

        Raises `ValidationFailedError` naming every violation, `DuplicateNameError`,
        `FileTooLargeError` or `TooManyUploadsError`.
        """
        around = {
            "sender_profile_name": sender_profile_name,
            "update_by": update_by,
            "message_type": message_type,
        }
        given = as_from_json({**around, "data": json_text(data)})
        files = multimedia_files or {}
        form = read_form(given, [UploadedFile(name=name) for name in files])
        by = await calling_for(self._parts, account)
        async with self._parts.receiving_media.upload(by) as upload:
            received = {
                name: await upload.receive(pieces_of(content), name=name, content_type=None)
                for name, content in files.items()
            }
            return await self._parts.creating_rcs_templates.create(
                by,
                sender_profile=form.sender_profile,
                message_type=form.message_type,
                update_by=form.update_by,
                definition=form.definition,
                files=TemplateFiles(upload, received) if received else None,
            )

    async def get(self, template: Reference) -> RcsTemplateView:
        """Return a template; raise `MessageTemplateNotFoundError`."""
        return await self._parts.fetching_templates.get(
            embedder(self._parts, ""), RCS_TEMPLATES, id_of(template)
        )

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[RcsTemplateView]:
        """List templates, the newest first."""
        account_id = await account_filter(self._parts, account)
        paging = Paging.clamped(page, page_size)
        return await self._parts.fetching_templates.listed(account_id, RCS_TEMPLATES, paging)

    async def submit(self, template: Reference) -> RcsTemplateView:
        """Submit a draft, or a rejected template, for approval."""
        by = embedder(self._parts, "")
        return await self._parts.reviewing_rcs_templates.submit(by, id_of(template))

    async def approve(self, template: Reference, reason: str | None = None) -> RcsTemplateView:
        """Allow sends under a template; raise `TemplateNotSubmittedError` for a draft."""
        by, why = embedder(self._parts, ""), _checked(reason)
        return await self._parts.reviewing_rcs_templates.approve(by, id_of(template), why)

    async def reject(self, template: Reference, reason: str | None = None) -> RcsTemplateView:
        """Forbid sends under a template; raise `TemplateNotSubmittedError` for a draft."""
        by, why = embedder(self._parts, ""), _checked(reason)
        return await self._parts.reviewing_rcs_templates.reject(by, id_of(template), why)


def _checked(reason: str | None) -> str | None:
    return structure(documented(reason=reason), RcsTemplateReview).reason or None
