"""Schemas of the parts of objects in Meta's shape, which the code reads member by member."""

from __future__ import annotations

from collections.abc import Iterable

from tools.openapi.limits import Schema
from tools.openapi.schemas import an_object, reference
from watchword.domain.public_url import MAX_URL


def text(most: int, *, required: bool = True, least: int = 1) -> Schema:
    """Return the schema of a text up to a length."""
    length = {"minLength": least, "maxLength": most} if least else {"maxLength": most}
    return {"type": "string" if required else ["string", "null"], **length}


def url(*, required: bool = True) -> Schema:
    """Return the schema of a public URL."""
    return {
        "type": "string" if required else ["string", "null"],
        "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://",
        "maxLength": MAX_URL,
    }


def a_list(items: Schema, least: int, most: int, *, required: bool = True) -> Schema:
    """Return the schema of a list with so many entries."""
    length = {"minItems": least, "maxItems": most} if least else {"maxItems": most}
    return {"type": "array" if required else ["array", "null"], "items": items, **length}


def members(required: Iterable[str], **properties: Schema) -> Schema:
    """Return the schema of an object with some required members."""
    return an_object(properties, required)


def whole(**properties: Schema) -> Schema:
    """Return the schema of an object whose members are all required."""
    return an_object(properties)


def one_of(*names: str) -> Schema:
    """Return the schema of exactly one of several named types."""
    return {"oneOf": [reference(name) for name in names]}


def any_of(*names: str) -> Schema:
    """Return the schema of any of several named types."""
    return {"anyOf": [reference(name) for name in names]}


def with_members(schema: Schema, **properties: Schema) -> Schema:
    """Add members to an object's schema, or replace them."""
    return {**schema, "properties": {**schema["properties"], **properties}}


def tagged(kind: str, schema: Schema) -> Schema:
    """Return the schema of an object with a `type` and a member of that name."""
    return an_object({"type": {"const": kind}, kind: schema})
