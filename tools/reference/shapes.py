"""Types of the described interface in words and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tools.openapi.prose import references
from tools.reference.markdown import code, prose, table

Schema = Mapping[str, Any]
_COLUMNS = ("member", "type", "meaning")


def name_of(reference: str) -> str:
    """Return the name of the type that a reference leads to."""
    return reference.rpartition("/")[2]


def in_words(schema: Schema) -> str:
    """Return a type in a few words, with links to the types that it consists of."""
    if "$ref" in schema:
        name = name_of(schema["$ref"])
        return f"[{name}](#{name.lower()})"
    if "const" in schema:
        return code(_literal(schema["const"]))
    if "enum" in schema:
        return " or ".join(code(_literal(each)) for each in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(in_words(each) for each in schema[several]))
    kinds = schema.get("type", "any value")
    words = [_kind(each, schema) for each in ([kinds] if isinstance(kinds, str) else kinds)]
    return " or ".join(words)


def _literal(value: Any) -> str:
    return (
        "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    )


def _kind(kind: str, schema: Schema) -> str:
    match kind:
        case "array":
            inner = in_words(schema["items"]) if "items" in schema else "any value"
            return f"list of {inner}{_bounds('Items', ' entries', schema)}"
        case "object":
            others = schema.get("additionalProperties")
            return f"object of {in_words(others)}" if isinstance(others, Mapping) else "object"
        case "string":
            return _text(schema)
        case "integer" | "number":
            return kind + _range(schema)
        case _:
            return kind


def _text(schema: Schema) -> str:
    match schema.get("format"):
        case "date-time":
            return "time"
        case None:
            return f"text{_bounds('Length', ' characters', schema)}"
        case other:
            return str(other).upper() if other == "uri" else str(other)


def _bounds(of: str, unit: str, schema: Schema) -> str:
    least, most = schema.get(f"min{of}"), schema.get(f"max{of}")
    if most is not None and least == most:
        return f", {most}{unit}"
    if most is not None and least:
        return f", {least} to {most}{unit}"
    if most is not None:
        return f", up to {most}{unit}"
    return f", at least {least}{unit}" if least and least > 1 else ", not empty" if least else ""


def _range(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    above = schema.get("exclusiveMinimum")
    first = f"above {above}" if above is not None else "" if least is None else f"from {least}"
    last = "" if most is None else f"to {most}"
    words = " ".join(filter(None, (first, last)))
    return f", {words}" if words else ""


def members(schema: Schema) -> str:
    """Return the members of an object as a table; nothing for another type."""
    required = schema.get("required", ())
    return table(
        _COLUMNS,
        (
            (
                code(name) + ("" if name in required else " *optional*"),
                in_words(each),
                _meaning(each),
            )
            for name, each in schema.get("properties", {}).items()
        ),
    )


def _meaning(schema: Schema) -> str:
    said = prose(schema.get("description", ""))
    if "default" in schema and schema["default"] is not None:
        said = f"{said} Default: {code(_literal(schema['default']))}.".strip()
    return said


def described(name: str, schema: Schema) -> Iterator[str]:
    """Yield the parts of a section about a type."""
    yield f"### {name}"
    yield prose(schema.get("description", ""))
    yield (
        members(schema)
        if "properties" in schema
        else f"{in_words(schema)[:1].upper()}{in_words(schema)[1:]}."
    )


def used(part: Any, schemas: Mapping[str, Schema]) -> list[str]:
    """Return the names of the types that a part of the document needs, sorted."""
    found: set[str] = set()
    waiting = [part]
    while waiting:
        for reference in references(waiting.pop()):
            name = name_of(reference)
            if "/schemas/" in reference and name not in found:
                found.add(name)
                waiting.append(schemas[name])
    return sorted(found)
