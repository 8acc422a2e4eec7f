"""
Searches: each is one class, and each of its filters is said there alone.

The edge reads a query by the filters, commands make options of them, and the description of the
interface its parameters. Fields that are no filters, as the account that is searched, are the caller's.
"""

from __future__ import annotations

from types import NoneType
from typing import Any, get_args

import attrs
from attrs import field, frozen

_FINDS = "finds"


@frozen
class SearchFilter:
    """One filter: its field, the type of its values, and what it finds."""

    name: str
    kind: Any
    finds: str


def narrows(
    finds: str, *, default: Any = None, personal: bool = False, validator: Any = None
) -> Any:
    """Declare a filter of a search by what it finds; a `personal` one is kept out of logs."""
    return field(default=default, repr=not personal, validator=validator, metadata={_FINDS: finds})


def filters_of(search: type[attrs.AttrsInstance]) -> tuple[SearchFilter, ...]:
    """Return the filters of a search, in its order."""
    attrs.resolve_types(search)
    return tuple(
        SearchFilter(each.name, _given(each.type), each.metadata[_FINDS])
        for each in attrs.fields(search)
        if _FINDS in each.metadata
    )


def _given(kind: Any) -> Any:
    """Return the type of a value that is given: of an optional one, what it is beside None."""
    return next((each for each in get_args(kind) if each is not NoneType), kind)
