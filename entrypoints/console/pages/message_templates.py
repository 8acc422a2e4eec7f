"""RCS and WhatsApp templates: listed, shown as on a phone, submitted, approved, rejected (C-36, C-55)."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import web
from attrs import frozen

from ....application.caller import Caller
from ....application.message_templates.template_kinds import (
    RCS_TEMPLATES,
    WHATSAPP_TEMPLATES,
    TemplateKind,
)
from ....domain.accounts.token_role import TokenRole
from ....domain.errors import ValidationFailedError
from ...http.requests import media_addresses, paging_of
from ...message_templates.rcs_writing import operators_rcs_template
from ...message_templates.whatsapp_writing import operators_whatsapp_template
from ...wire.structuring import structure
from ...wire.typed_requests import RcsTemplateReview, WhatsappTemplateReview
from ...wired import Wired
from ..forms import Form
from ..page import Page
from ..previews.rcs import rcs_preview
from ..previews.reading import text_at
from ..previews.shown import Preview
from ..previews.whatsapp import template_preview
from ..template_forms.fields import CHANNEL_NAMES
from ..visit import Visit

Review = Callable[[Wired, Caller, str, str | None], Awaitable[Any]]


@frozen(kw_only=True)
class Kind:
    """The differences between the pages of the two kinds of templates."""

    path: str
    templates: TemplateKind[Any, Any]
    shown: Callable[[Visit, Any], dict[str, Any]]
    preview: Callable[[Mapping[str, Any]], Preview]
    review: type[RcsTemplateReview] | type[WhatsappTemplateReview]
    submit: Review
    approve: Review
    reject: Review


def _rcs_shown(visit: Visit, template: Any) -> dict[str, Any]:
    return operators_rcs_template(template, media_addresses(visit.request, visit.service))


RCS = Kind(
    path="/templates/rcs",
    templates=RCS_TEMPLATES,
    shown=_rcs_shown,
    preview=lambda shown: rcs_preview(shown, sender=text_at(shown, "senderProfile")),
    review=RcsTemplateReview,
    submit=lambda service, by, template_id, _: service.reviewing_rcs_templates.submit(
        by, template_id
    ),
    approve=lambda service, *review: service.reviewing_rcs_templates.approve(*review),
    reject=lambda service, *review: service.reviewing_rcs_templates.reject(*review),
)
WHATSAPP = Kind(
    path="/templates/whatsapp",
    templates=WHATSAPP_TEMPLATES,
    shown=lambda _, template: operators_whatsapp_template(template),
    preview=template_preview,
    review=WhatsappTemplateReview,
    submit=lambda service, by, template_id, _: service.submitting_whatsapp_templates.submit(
        by, template_id
    ),
    approve=lambda service, *review: service.reviewing_whatsapp_templates.approve(*review),
    reject=lambda service, *review: service.reviewing_whatsapp_templates.reject(*review),
)


def _pages(kind: Kind) -> tuple[Page, ...]:
    async def listed(visit: Visit) -> web.StreamResponse:
        found = await visit.service.fetching_templates.listed(
            visit.account_id, kind.templates, paging_of(visit.request)
        )
        return visit.show(
            "templates/message_list.html",
            listed=found,
            templates=[visit.shown(kind.shown(visit, each)) for each in found.data],
            kind=kind,
            channel=CHANNEL_NAMES[kind.templates.channel],
        )

    async def show(visit: Visit) -> web.StreamResponse:
        return await _one(visit, kind, Form({}))

    def reviewing(review: Review, done: str) -> Callable[[Visit], Awaitable[web.StreamResponse]]:
        async def reviewed(visit: Visit) -> web.StreamResponse:
            template_id = visit.request.match_info["id"]
            try:
                read = structure({"reason": visit.form.optional("reason")}, kind.review)
            except ValidationFailedError as refusal:
                return await _one(visit, kind, visit.form.with_problems(refusal), status=400)
            await review(visit.service, visit.by, template_id, read.reason or None)
            return visit.redirect(f"{kind.path}/{template_id}", done=done)

        return reviewed

    one = f"{kind.path}/{{id}}"
    return (
        Page("GET", kind.path, listed, TokenRole.AUDITOR),
        Page("GET", one, show, TokenRole.AUDITOR),
        Page("POST", f"{one}/submit", reviewing(kind.submit, "submitted"), TokenRole.OPERATOR),
        Page("POST", f"{one}/approve", reviewing(kind.approve, "approved"), TokenRole.OPERATOR),
        Page("POST", f"{one}/reject", reviewing(kind.reject, "rejected"), TokenRole.OPERATOR),
    )


async def _one(visit: Visit, kind: Kind, form: Form, status: int = 200) -> web.StreamResponse:
    template_id = visit.request.match_info["id"]
    found = await visit.service.fetching_templates.get(visit.by, kind.templates, template_id)
    shown = visit.shown(kind.shown(visit, found))
    return visit.show(
        "templates/message_template.html",
        status=status,
        template=shown,
        record=json.dumps(shown, indent=2, ensure_ascii=False),
        preview=kind.preview(shown),
        form=form,
        kind=kind,
        channel=CHANNEL_NAMES[kind.templates.channel],
    )


MESSAGE_TEMPLATE_PAGES = (*_pages(RCS), *_pages(WHATSAPP))
