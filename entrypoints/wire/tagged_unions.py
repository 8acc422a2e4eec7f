"""Structures unions of classes; the values of `Literal` fields select the class."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs
import cattrs

from ...domain.errors import camel


def is_tagged_union(kind: Any) -> bool:
    """Return whether a type is a union of classes that each have a `Literal` field."""
    if get_origin(kind) not in (Union, UnionType) or len(_options(kind)) < 2:
        return False
    return all(attrs.has(each) and _tags(each) for each in _options(kind))


def _tags(kind: Any) -> dict[str, tuple[Any, ...]]:
    """Return the values that select a class of a union, by wire name of their fields."""
    fields = attrs.fields(attrs.resolve_types(kind))
    return {
        camel(each.name): get_args(each.type) for each in fields if get_origin(each.type) is Literal
    }


def tagged_union_hook(kind: Any, converter: cattrs.Converter) -> Callable[[Any, Any], Any]:
    """Return a hook that selects by wire names; cattrs' own uses the names in the code."""
    tagged = [(each, _tags(each)) for each in _options(kind)]
    optional = NoneType in get_args(kind)

    def hook(value: Any, _: Any) -> Any:
        if value is None and optional:
            return None
        if not isinstance(value, dict):
            raise ValueError("must be an object")
        for option, tags in tagged:
            if all(value.get(name) in values for name, values in tags.items()):
                return converter.structure(value, option)
        raise ValueError(f"must have a {' and a '.join(tagged[0][1])} that is known")

    return hook


def _options(kind: Any) -> list[Any]:
    return [each for each in get_args(kind) if each is not NoneType]
