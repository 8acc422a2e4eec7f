"""Writes RCS templates in the documented spelling (SPEC 2.2 to 2.4)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import attrs

from ...application.message_templates.views import RcsTemplateView
from ...domain.errors import camel
from ...domain.rcs_template import TemplateDefinition, with_files
from ..addresses.media import AddressOf
from ..wire.codec import local_time


def template_data(definition: TemplateDefinition) -> dict[str, Any]:
    """Return a template as its author wrote it, without members that were not given."""
    data = {"name": definition.name, **_written(definition.content)}
    # The members of a layout are members of its card.
    data |= data.pop("layout", {})
    if definition.template_state is not None:
        data["templateState"] = definition.template_state.value
    return data


def shown_rcs_template(template: RcsTemplateView, address_of: AddressOf) -> dict[str, Any]:
    """
    Return a template with its approval, as a fetch shows it (SPEC 2.4, C-55).

    It shows what its author wrote. For a file, `address_of` returns the address of the hosted medium.
    """
    definition = TemplateDefinition(
        name=template.name,
        content=with_files(template.content, template.files, address_of),
        template_state=template.template_state,
    )
    shown = {
        **template_data(definition),
        "senderProfile": template.sender_profile,
        "messageType": template.message_type.value,
        "category": template.content.type.replace("_", " ").title(),
        "status": template.status.value,
        "created_on": local_time(template.created_at),
        "updated_on": local_time(template.updated_at),
    }
    if template.reason is not None:
        shown["reason"] = template.reason
    return shown


def operators_rcs_template(template: RcsTemplateView, address_of: AddressOf) -> dict[str, Any]:
    """Return a template as a fetch shows it, with its id and its account's (C-36)."""
    ids = {"id": template.id, "accountId": template.account_id}
    return ids | shown_rcs_template(template, address_of)


def _written(part: Any) -> Any:
    if isinstance(part, StrEnum):
        return part.value
    if isinstance(part, tuple):
        return [_written(each) for each in part]
    if not attrs.has(type(part)):
        return part
    given = ((each.name, getattr(part, each.name)) for each in attrs.fields(type(part)))
    return {camel(name): _written(value) for name, value in given if value is not None}
