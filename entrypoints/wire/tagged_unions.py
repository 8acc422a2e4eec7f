"""Classes of which one is meant, told apart by the values of fields with the documented spelling."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs
import cattrs

from ...domain.errors import camel


def is_tagged_union(kind: Any) -> bool:
    """Whether a type is several classes, each with fields of which only few values are possible."""
    if get_origin(kind) not in (Union, UnionType) or len(_options(kind)) < 2:
        return False
    return all(attrs.has(each) and _tags(each) for each in _options(kind))


def _tags(kind: Any) -> dict[str, tuple[Any, ...]]:
    """Return which values tell a class of a union apart, by the names of their fields on the wire."""
    fields = attrs.fields(attrs.resolve_types(kind))
    return {
        camel(each.name): get_args(each.type) for each in fields if get_origin(each.type) is Literal
    }


def tagged_union_hook(kind: Any, converter: cattrs.Converter) -> Callable[[Any, Any], Any]:
    """Structure one of several classes; cattrs looks for their tags under the names in the code."""
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
