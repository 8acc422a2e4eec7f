"""Message templates of RCS and WhatsApp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import json

from .. import calls
from ..data.media import Upload
from ..data.rcs_templates import (
    FetchRcsTemplates,
    NewRcsTemplate,
    RcsTemplate,
    RcsTemplateData,
    RcsTemplatePage,
)
from ..data.whatsapp_templates import (
    CreatedWhatsappTemplate,
    FetchWhatsappTemplates,
    NewWhatsappTemplate,
    WhatsappComponent,
    WhatsappTemplatePage,
)
from ..data.wire import members
from .calling import Calling

Approval = Literal["Pending", "Approved", "Rejected"]


class RcsTemplates:
    """Create and fetch RCS templates."""

    def __init__(self, calling: Calling) -> None:
        self._calling = calling

    def create(
        self,
        data: RcsTemplateData,
        *,
        sender_profile_name: str,
        update_by: str,
        message_type: str,
        multimedia_files: Sequence[Upload] = (),
        timeout: float | None = None,
    ) -> RcsTemplate:
        """
        Create a template, and submit it unless it is a draft (A1).

        Raise `ValidationFailedError` with all faults by path, `DuplicateNameError` and others. After
        `AnswerLostError` the template may exist: fetch it.
        """
        request = NewRcsTemplate(
            data=json.encode(members(data)).decode(),
            sender_profile_name=sender_profile_name,
            update_by=update_by,
            message_type=message_type,
        )
        files = [("multimedia_files", each) for each in multimedia_files]
        created = self._calling.make(
            calls.CREATE_RCS_TEMPLATE, request, files=files, timeout=timeout
        )
        return created.data

    def fetch(
        self,
        *,
        sender_profile: str,
        message_type: str,
        status: Approval | None = None,
        created_date: str | None = None,
        template_name: str | None = None,
        page_no: int = 0,
        limit: int = 25,
        timeout: float | None = None,
    ) -> RcsTemplatePage:
        """
        Return a page of a sender profile's templates (A2); the first is 0.

        `created_date` is a time in UTC such as `2026-01-31T00:00:00`: created then or later.
        """
        request = FetchRcsTemplates(
            sender_profile=sender_profile,
            message_type=message_type,
            status=status,
            created_date=created_date,
            template_name=template_name,
            page_no=page_no,
            limit=limit,
        )
        return self._calling.make(calls.FETCH_RCS_TEMPLATES, request, timeout=timeout)


class WhatsappTemplates:
    """Create and fetch WhatsApp templates."""

    def __init__(self, calling: Calling) -> None:
        self._calling = calling

    def create(
        self,
        *,
        name: str,
        language: str,
        category: Literal["AUTHENTICATION", "UTILITY", "MARKETING"],
        components: Sequence[WhatsappComponent],
        timeout: float | None = None,
    ) -> CreatedWhatsappTemplate:
        """
        Create a template, which waits for its approval.

        Raise `ValidationFailedError` with all faults by path, `DuplicateNameError` and others. After
        `AnswerLostError` the template may exist: fetch it.
        """
        request = NewWhatsappTemplate(
            name=name, language=language, category=category, components=components
        )
        return self._calling.make(calls.CREATE_WHATSAPP_TEMPLATE, request, timeout=timeout)

    def fetch(
        self,
        *,
        status: Approval | None = None,
        category: str | None = None,
        created_date: str | None = None,
        template_name: str | None = None,
        page_no: int = 0,
        limit: int = 25,
        timeout: float | None = None,
    ) -> WhatsappTemplatePage:
        """
        Return a page of templates; the first is 0.

        `created_date` is a time in UTC such as `2026-01-31T00:00:00`: created then or later.
        """
        request = FetchWhatsappTemplates(
            message_type=category,
            status=status,
            created_date=created_date,
            template_name=template_name,
            page_no=page_no,
            limit=limit,
        )
        return self._calling.make(calls.FETCH_WHATSAPP_TEMPLATES, request, timeout=timeout)
