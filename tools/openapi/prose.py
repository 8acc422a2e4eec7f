"""Reads the prose and the examples of the described interface from its TOML files."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

from tools.openapi.limits import Schema

INTERFACE = Path(__file__).parents[2] / "entrypoints" / "http" / "interface"
# The fragment that belongs to no area: introduction, shared parameters, refusals, headers.
SHARED = "shared"


@frozen
class Prose:
    """The hand-written texts: of operations by method and path, of types by name."""

    shared: Mapping[str, Any]
    operations: Mapping[str, Mapping[str, Any]]
    types: Mapping[str, Mapping[str, Any]] = field(repr=False)

    @classmethod
    def read(cls, folder: Path = INTERFACE) -> Prose:
        """Read every fragment of a folder."""
        shared = _fragment(folder / f"{SHARED}.toml")
        operations, types = {}, dict(shared.pop("types", {}))
        for path in sorted(folder.glob("*.toml")):
            if path.stem == SHARED:
                continue
            fragment = _fragment(path)
            types |= fragment.pop("types", {})
            tag = fragment.pop("tag")
            for name, operation in fragment.items():
                for number, at in enumerate(operation["at"]):
                    named = name if number == 0 else operation["aliases"][number - 1]
                    operations[at] = {"tag": tag, **operation, "id": named}
        return cls(shared, operations, types)


def _fragment(path: Path) -> dict[str, Any]:
    return {name: _unwrapped(part) for name, part in tomllib.loads(path.read_text()).items()}


def _unwrapped(part: Any) -> Any:
    """Join the wrapped lines of each paragraph."""
    if isinstance(part, dict):
        return {name: _unwrapped(each) for name, each in part.items()}
    if isinstance(part, list):
        return [_unwrapped(each) for each in part]
    if isinstance(part, str) and "\n" in part and not part.lstrip().startswith(("{", "[")):
        return "\n\n".join(" ".join(each.split()) for each in part.strip().split("\n\n"))
    return part


def examples(texts: Mapping[str, str]) -> dict[str, Any]:
    """Decode examples, which are written in JSON; return them by name."""
    return {name: {"value": json.loads(text)} for name, text in texts.items()}


def described(schemas: Mapping[str, Schema], prose: Prose) -> dict[str, Schema]:
    """Add prose to schemas; raises `KeyError` for prose of an unknown type or member."""
    unknown = prose.types.keys() - schemas.keys()
    if unknown:
        raise KeyError(f"There is prose of {', '.join(sorted(unknown))}, which are no types.")
    return {name: _described(schema, name, prose) for name, schema in schemas.items()}


def _described(schema: Schema, name: str, prose: Prose) -> Schema:
    said = dict(prose.types.get(name, {}))
    about, shown = said.pop("about", None), said.pop("shown", ())
    members = dict(schema.get("properties", {}))
    # Texts for members of any type first, then those of the types that this one is like.
    alike = [prose.shared["members"], *(prose.types[each] for each in said.pop("like", ()))]
    words = {member: text for each in alike for member, text in each.items() if member in members}
    for member, text in {**words, **said}.items():
        members[member] = {**members[member], "description": text}
    return {
        **schema,
        **({"description": about} if about else {}),
        **({"properties": members} if members else {}),
        **({"examples": [json.loads(each) for each in shown]} if shown else {}),
    }


def references(part: Any) -> Iterator[str]:
    """Yield every reference in a part of a document."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for each in part.values():
            yield from references(each)
    elif isinstance(part, list):
        for each in part:
            yield from references(each)
