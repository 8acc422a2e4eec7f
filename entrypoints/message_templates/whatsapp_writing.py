"""Writes WhatsApp templates in Meta's shape, with the fields of their records (C-26, C-54)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import attrs

from ...application.message_templates.views import WhatsappTemplateView
from ...domain.approval import ApprovalStatus
from ...domain.whatsapp_template import Body, CodeBody, MediaHeader, TemplateDefinition, TextHeader
from ..wire.codec import local_time, unstructure


def template_data(definition: TemplateDefinition) -> dict[str, Any]:
    """Return a template as its author wrote it, without members that were not given."""
    return {
        "name": definition.name,
        "language": definition.language,
        "category": definition.content.category.value,
        "components": [_written(each) for each in definition.content.components],
    }


def shown_whatsapp_template(template: WhatsappTemplateView) -> dict[str, Any]:
    """Return a template with its approval, as a fetch shows it."""
    definition = TemplateDefinition(
        name=template.name, language=template.language, content=template.content
    )
    shown = {
        "id": template.id,
        **template_data(definition),
        "status": template.status.value,
        "created_on": local_time(template.created_at),
        "updated_on": local_time(template.updated_at),
    }
    if template.status is ApprovalStatus.REJECTED and template.reason is not None:
        shown["rejected_reason"] = template.reason
    return shown


def operators_whatsapp_template(template: WhatsappTemplateView) -> dict[str, Any]:
    """Return a template as a fetch shows it, with its account's id and its submission (C-36, C-99)."""
    shown = {"accountId": template.account_id, **shown_whatsapp_template(template)}
    if template.submission is not None:
        shown["submission"] = unstructure(template.submission)
    return shown


def _written(part: Any) -> Any:
    if isinstance(part, StrEnum):
        return part.value
    if isinstance(part, tuple):
        return [_written(each) for each in part]
    if not attrs.has(type(part)):
        return part
    given = ((each.name, getattr(part, each.name)) for each in attrs.fields(type(part)))
    written = {name: _written(value) for name, value in given if value is not None}
    if "example" in written:
        written["example"] = _example(part, written["example"])
    return written


def _example(part: Any, values: Any) -> Any:
    """Return a component's example in Meta's shape; a button's example is unchanged."""
    match part:
        case TextHeader():
            return {"header_text": values}
        case MediaHeader():
            return {"header_handle": values}
        case Body() | CodeBody():
            return {"body_text": [values]}
        case _:
            return values
