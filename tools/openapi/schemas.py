"""Derives JSON Schemas from the types of requests and answers."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import (
    Any,
    Literal,
    NewType,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import attrs

from tools.openapi.limits import Schema, limits_of, whole_number
from watchword.domain.errors import camel
from watchword.domain.rate_limit import Duration, Rate
from watchword.entrypoints.messaging.message_bodies import MAX_PARAMETER
from watchword.entrypoints.wire.lenient_values import Flag, JsonTexts, WholeNumber

# A number of things in an answer.
Count = NewType("Count", int)

_PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    type(None): {"type": "null"},
    Any: {},
    Count: {"type": "integer", "minimum": 0},
    Duration: {"type": "string", "pattern": "^[0-9]{1,9}(ms|s|m|h|d)$"},
    Rate: {
        "type": "string",
        "pattern": "^(?!0+/)[0-9]{1,9}/(?!0+[a-z])[0-9]{0,9}(ms|s|m|h|d)$",
    },
    Flag: {"anyOf": [{"type": "boolean"}, {"type": "integer", "minimum": 0, "maximum": 1}]},
    JsonTexts: {
        "anyOf": [
            {"type": "string", "contentMediaType": "application/json"},
            {
                "type": "object",
                "additionalProperties": {"type": "string", "maxLength": MAX_PARAMETER},
            },
        ]
    },
}


def reference(name: str) -> Schema:
    """Return a reference to a schema of the document by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def or_null(schema: Schema) -> Schema:
    """Return a schema that also allows null."""
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, _PLAIN[type(None)]]}


def words(values: Iterable[str]) -> Schema:
    """Return the schema of a text that is one of a few words."""
    return {"type": "string", "enum": [str(each) for each in values]}


def an_object(properties: Mapping[str, Schema], required: Iterable[str] | None = None) -> Schema:
    """Return the schema of an object; by default, all members are required."""
    names = list(properties) if required is None else list(required)
    return {"type": "object", "properties": dict(properties)} | (
        {"required": names} if names else {}
    )


def joined(schemas: Iterable[Schema]) -> Schema:
    """Return the schema of an object with the members of several; later ones replace earlier ones."""
    properties: dict[str, Schema] = {}
    required: list[str] = []
    for each in schemas:
        properties |= each["properties"]
        required += (name for name in each.get("required", ()) if name not in required)
    return an_object(properties, required)


@attrs.frozen(eq=False)
class Narrowed:
    """A class with more exact schemas for some members, and without others."""

    kind: Any
    members: Mapping[str, Any]
    without: tuple[str, ...] = ()
    complete: bool = False


def narrowed(kind: Any, *, without: tuple[str, ...] = (), **members: Any) -> Narrowed:
    """Replace the types of some members of a class; each is a type or a schema."""
    return Narrowed(kind, members, without)


def answered(kind: Any, **members: Any) -> Narrowed:
    """Do the same for a record in an answer, which always has all its members."""
    return Narrowed(kind, members, complete=True)


class Joined:
    """An object with the members of several types; later ones replace earlier ones."""

    def __init__(self, *kinds: Any) -> None:
        self.kinds = kinds


class Types:
    """Builds the schemas of types; a type with a name in the document gets one component."""

    def __init__(self, named: Mapping[str, Any]) -> None:
        self._named = named
        self._names = {
            kind.kind if isinstance(kind, Narrowed) else kind: name
            for name, kind in reversed([*named.items()])
            if not isinstance(kind, dict | Joined)
        }

    def components(self) -> dict[str, Schema]:
        """Return the schemas of all named types."""
        return {name: self._component(kind) for name, kind in self._named.items()}

    def _component(self, kind: Any) -> Schema:
        if isinstance(kind, dict):
            return kind
        if isinstance(kind, Joined):
            return joined(map(self._component, kind.kinds))
        if not isinstance(kind, Narrowed):
            return self.described(kind)
        schema = self.described(kind.kind)
        properties = {
            name: each for name, each in schema["properties"].items() if name not in kind.without
        }
        for name, member in kind.members.items():
            properties[name] = member if isinstance(member, dict) else self.schema(member)
        if kind.complete:
            for each in properties.values():
                each.pop("default", None)
            return an_object(properties)
        required = [name for name in schema.get("required", ()) if name in properties]
        return an_object(properties, required)

    def schema(self, kind: Any) -> Schema:
        """Return the schema of a type where it is used: a reference if it has a name."""
        name = self._names.get(kind)
        return self.described(kind) if name is None else reference(name)

    def described(self, kind: Any) -> Schema:
        """Return the schema of a type's content."""
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        match get_origin(kind):
            case None:
                return self._class(kind)
            case origin if origin is Literal:
                values = get_args(kind)
                return words(values) if len(values) > 1 else {"const": values[0]}
            case origin if origin is tuple or origin is list:
                return {"type": "array", "items": self.schema(get_args(kind)[0])}
            case origin if isinstance(origin, type) and issubclass(origin, Mapping):
                held = get_args(kind)[1]
                free = {} if held is Any else {"additionalProperties": self.schema(held)}
                return {"type": "object", **free}
            case origin if origin in (Union, types.UnionType):
                return self._union(get_args(kind))
        raise TypeError(f"no schema is known for {kind!r}")

    def _union(self, kinds: tuple[Any, ...]) -> Schema:
        given = [each for each in kinds if each is not type(None)]
        schemas = [self.schema(each) for each in given]
        schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
        return or_null(schema) if len(given) < len(kinds) else schema

    def _class(self, kind: Any) -> Schema:
        if is_typeddict(kind):
            return self._typed_dict(kind)
        if attrs.has(kind):
            return self._record(kind)
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return words(kind)
        if kind is dict or kind is Mapping:
            return {"type": "object"}
        raise TypeError(f"no schema is known for {kind!r}")

    def _typed_dict(self, kind: Any) -> Schema:
        hints = get_type_hints(kind, include_extras=True)
        optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
        properties = {
            name: self.schema(get_args(hint)[0] if name in optional else hint)
            for name, hint in hints.items()
        }
        return an_object(properties, [name for name in properties if name not in optional])

    def _record(self, kind: Any) -> Schema:
        attrs.resolve_types(kind)
        fields = [each for each in attrs.fields(kind) if each.init]
        properties = {camel(each.name): self._field(each) for each in fields}
        required = [camel(each.name) for each in fields if each.default is attrs.NOTHING]
        return an_object(properties, required)

    def _field(self, each: attrs.Attribute[Any]) -> Schema:
        default, optional = each.default, each.type == WholeNumber | None
        if optional or each.type is WholeNumber:
            number = whole_number(each.validator)
            return {"anyOf": [*number["anyOf"], _PLAIN[type(None)]]} if optional else number
        schema = limits_of(each.validator, self.schema(each.type))
        if default is attrs.NOTHING or default is None or isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a class at run time
            return schema
        return {**schema, "default": default if isinstance(default, bool | int) else str(default)}
