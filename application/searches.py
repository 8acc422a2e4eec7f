"""
Searches: one class each, which declares each of its filters once (D-179).

The filters define the parameters of queries, the options of commands, and the parameters in the
description of the interface.
"""

from __future__ import annotations

from types import NoneType
from typing import Any, get_args

import attrs
from attrs import field, frozen

from ..domain.errors import FieldProblem, ValidationFailedError

# Searches count their results up to this number: counting 10^7 messages takes seconds (D-79).
COUNTED_TO = 10_000
_FINDS = "finds"


@frozen
class SearchFilter:
    """One filter: its field, the type of its values, and its description."""

    name: str
    kind: Any
    finds: str


def narrows(
    finds: str, *, default: Any = None, personal: bool = False, validator: Any = None
) -> Any:
    """Declare a filter of a search. `finds` describes it; a `personal` filter is hidden in `repr`."""
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
    """Return a type without its None."""
    return next((each for each in get_args(kind) if each is not NoneType), kind)


def account_of_search(account_id: str | None) -> str:
    """
    Return the account of a search by a destination or a reference.

    Raises `ValidationFailedError` without one: the store knows both by account alone (C-100).
    """
    if account_id is None:
        raise ValidationFailedError(
            [FieldProblem("account", "is required to search by destination or reference")]
        )
    return account_id
