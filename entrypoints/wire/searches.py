"""The names of search filters in queries, options and the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from attrs import AttrsInstance, frozen

from ...application.guard.listing_refused_sends import RefusedSearch
from ...application.paging import DEFAULT_PAGE_SIZE, Paging
from ...application.pins.managing_pin_templates import SORT_COLUMNS, TemplateSearch
from ...application.pins.searching_verifications import VerificationSearch
from ...application.searches import filters_of
from ...application.statistics.asking import Question
from ...domain.errors import FieldProblem, ValidationFailedError, camel
from ...domain.pin_template import TemplateStatus
from .known_members import know_all
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


PAGE_MEMBERS = ("page", "pageSize")


@frozen(kw_only=True)
class _Page:
    """The page of a search, in a body."""

    page: int = 1
    page_size: int = DEFAULT_PAGE_SIZE


@frozen
class Parameter:
    """One filter of a search with its name in queries; `also` is a second name."""

    field: str
    name: str
    also: str | None
    kind: Any
    finds: str

    @property
    def names(self) -> tuple[str, ...]:
        """All names of the filter; the documented one is last."""
        return (self.name,) if self.also is None else (self.also, self.name)


@cache
def parameters(search: type[AttrsInstance]) -> tuple[Parameter, ...]:
    """Return the query parameters of a search."""
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
    Read the texts of a query by the names of a search's parameters.

    `read` builds the search from values by field name. Its refusals get the query's names.
    """
    own = {name: each for each in parameters(search) for name in each.names}
    spelled = {each.field: each.name for each in own.values() if each.field in _SPELLED}
    # If both names of a filter are given, the documented one counts, because it is last.
    values = {
        camel(own[name].field): whole_number(text) if own[name].kind is int else text
        for name, text in given.items()
    }
    return renamed(spelled, lambda: read(values))


def read_members(
    body: Any,
    names: Sequence[str],
    search: type[AttrsInstance],
    read: Callable[[dict[str, Any]], S],
) -> tuple[S, Paging]:
    """
    Read a search and its page from the members of a JSON body, which have the names of a query (C-73).

    A member that is null or an empty text is no filter (D-114). Raises `ValidationFailedError`, which
    names every wrong member.
    """
    if not isinstance(body, dict):
        structure(body, _Page)
    know_all(body, names)
    given = {name: body[name] for name in names if name in body and body[name] not in (None, "")}
    paged = {name: given.pop(name) for name in PAGE_MEMBERS if name in given}
    own = {name: each for each in parameters(search) for name in each.names}
    spelled = {each.field: each.name for each in own.values() if each.field in _SPELLED}
    values = {camel(own[name].field): value for name, value in given.items()}
    problems: list[FieldProblem] = []
    page = _tried(problems, lambda: structure(paged, _Page))
    found = _tried(problems, lambda: renamed(spelled, lambda: read(values)))
    if page is None or found is None:
        raise ValidationFailedError(problems)
    return found, Paging.clamped(page.page, page.page_size)


def _tried(problems: list[FieldProblem], read: Callable[[], S]) -> S | None:
    try:
        return read()
    except ValidationFailedError as refusal:
        problems += refusal.problems
        return None


def renamed(spelled: Mapping[str, str], read: Callable[[], S]) -> S:
    """Call `read`, and rename the fields of its refusal to their wire names."""
    try:
        return read()
    except ValidationFailedError as refusal:
        raise ValidationFailedError(
            FieldProblem(spelled.get(each.field, each.field), each.message)
            for each in refusal.problems
        ) from None


def structure_search(given: Mapping[str, Any], search: type[S]) -> S:
    """Build a search from values by documented field name; a channel may be `wa` (C-45)."""
    named = dict(given)
    for name in _CHANNELS:
        if isinstance(value := named.get(name), str):
            named[name] = channel_named(value)
    return structure(named, search)


def verification_search(given: Mapping[str, Any]) -> VerificationSearch:
    """Read the filters of a search of PINs (C-37)."""
    return structure_search(given, VerificationSearch)


def refused_search(given: Mapping[str, Any]) -> RefusedSearch:
    """Read the filters of the list of refused sends (C-78)."""
    return structure(given, RefusedSearch)


def statistics_question(given: Mapping[str, Any]) -> Question:
    """Read a question for the statistics (C-80)."""
    return structure(given, Question)


def template_search(query: Mapping[str, str]) -> TemplateSearch:
    """Read the filters of a list of PIN templates; an invalid value becomes the default (C-17)."""
    status = query.get("status", "")
    return TemplateSearch(
        search=query.get("search", ""),
        status=TemplateStatus(status) if status in tuple(TemplateStatus) else None,
        include_archived=query.get("includeArchived", "").lower() in ("true", "1"),
        sort_by=_SORTS.get(query.get("sortBy", ""), "created_at"),
        descending=query.get("sortDirection", "").lower() != "asc",
    )


def whole_number(text: str) -> int | str:
    """Parse an integer in a query; return any other text unchanged."""
    return int(text) if _INTEGER.fullmatch(text) else text
