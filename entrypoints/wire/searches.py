"""How the filters of searches are spelled in queries, in options and in the described interface."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from attrs import AttrsInstance, frozen

from ...application.pins.managing_pin_templates import SORT_COLUMNS, TemplateSearch
from ...application.pins.searching_verifications import VerificationSearch
from ...application.searches import filters_of
from ...domain.errors import FieldProblem, ValidationFailedError, camel
from ...domain.pin_template import TemplateStatus
from .structuring import structure
from .typed_requests import channel_named

S = TypeVar("S")

_SPELLED = {
    "since": "from",
    "until": "to",
    "account_id": "account",
    "descending": "sortDirection",
}
# The report's documentation calls a channel `channelType`; all other searches call it `channel`.
_ALSO = {"channelType": "channel"}
_CHANNELS = ("channel", "channelType")
_SORTS = {camel(name): name for name in SORT_COLUMNS}
_INTEGER = re.compile(r"-?[0-9]{1,4000}")


@frozen
class Parameter:
    """One filter of a search by its name in a query; `also` is a second name for it."""

    field: str
    name: str
    also: str | None
    kind: Any
    finds: str

    @property
    def names(self) -> tuple[str, ...]:
        """All its names."""
        return (self.name,) if self.also is None else (self.also, self.name)


@cache
def parameters(search: type[AttrsInstance]) -> tuple[Parameter, ...]:
    """Return the filters of a search as a query has them."""
    spelled = [(each, _SPELLED.get(each.name, camel(each.name))) for each in filters_of(search)]
    return tuple(
        Parameter(each.name, name, _ALSO.get(name), each.kind, each.finds) for each, name in spelled
    )


def names_of(search: type[AttrsInstance]) -> tuple[str, ...]:
    """Return the names of a search's query parameters."""
    return tuple(name for each in parameters(search) for name in each.names)


def read_query(
    given: Mapping[str, str],
    search: type[AttrsInstance],
    read: Callable[[dict[str, Any]], S],
) -> S:
    """
    Read a search from the texts of a query.

    `read` gets them by the names of the search's fields. Its refusals name a field as the query does.
    """
    own = {name: each for each in parameters(search) for name in each.names}
    spelled = {each.field: each.name for each in own.values() if each.field in _SPELLED}
    # If a filter is given by both of its names, the documented one wins: it comes second.
    values = {
        camel(own[name].field): whole_number(text) if own[name].kind is int else text
        for name, text in given.items()
    }
    return renamed(spelled, lambda: read(values))


def renamed(spelled: Mapping[str, str], read: Callable[[], S]) -> S:
    """Call `read`; its refusals name a field as the wire spells it."""
    try:
        return read()
    except ValidationFailedError as refusal:
        raise ValidationFailedError(
            FieldProblem(spelled.get(each.field, each.field), each.message)
            for each in refusal.problems
        ) from None


def structure_search(given: Mapping[str, Any], search: type[S]) -> S:
    """Structure a search from values by its fields' names in camel case; a channel may be `wa` (C-45)."""
    named = dict(given)
    for name in _CHANNELS:
        if isinstance(value := named.get(name), str):
            named[name] = channel_named(value)
    return structure(named, search)


def verification_search(given: Mapping[str, Any]) -> VerificationSearch:
    """Structure a search of PINs (C-37)."""
    return structure_search(given, VerificationSearch)


def template_search(query: Mapping[str, str]) -> TemplateSearch:
    """Read the filters of a list of PIN templates; a value that is not allowed takes its default (C-17)."""
    status = query.get("status", "")
    return TemplateSearch(
        search=query.get("search", ""),
        status=TemplateStatus(status) if status in tuple(TemplateStatus) else None,
        include_archived=query.get("includeArchived", "").lower() in ("true", "1"),
        sort_by=_SORTS.get(query.get("sortBy", ""), "created_at"),
        descending=query.get("sortDirection", "").lower() != "asc",
    )


def whole_number(text: str) -> int | str:
    """Read a whole number from a query; return any other text as it is."""
    return int(text) if _INTEGER.fullmatch(text) else text
