"""A template in the documented spelling, as its author gave it (SPEC 2.2, 2.3)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import attrs

from ...domain.errors import camel
from ...domain.rcs_template import TemplateDefinition


def template_data(definition: TemplateDefinition) -> dict[str, Any]:
    """Write a template as its author gave it; what was not given is not there."""
    data = {"name": definition.name, **_written(definition.content)}
    # Whichever of the two it is, a layout stands among the members of its card.
    data |= data.pop("layout", {})
    if definition.template_state is not None:
        data["templateState"] = definition.template_state.value
    return data


def _written(part: Any) -> Any:
    if isinstance(part, StrEnum):
        return part.value
    if isinstance(part, tuple):
        return [_written(each) for each in part]
    if not attrs.has(type(part)):
        return part
    given = ((each.name, getattr(part, each.name)) for each in attrs.fields(type(part)))
    return {camel(name): _written(value) for name, value in given if value is not None}
