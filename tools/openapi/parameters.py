"""The schemas of query parameters: filters of searches, and the parameters of all lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.openapi.schemas import Types, reference, words
from tools.openapi.types import NAMED
from watchword.application.audit.reading_log import DEFAULT_EVENTS, MAX_EVENTS
from watchword.application.audit.watching_log import LONGEST_WAIT
from watchword.application.evidence.reading_heads import DEFAULT_HEADS, MAX_HEADS
from watchword.application.paging import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE
from watchword.application.pins.managing_pin_templates import SORT_COLUMNS
from watchword.domain.errors import camel
from watchword.entrypoints.http.route import Route
from watchword.entrypoints.wire.log_searches import SEVERAL
from watchword.entrypoints.wire.searches import parameters

_TEXT = {"type": "string"}
_CHANNEL = reference("ChannelFilter")
# Parameters whose form in a query differs from the field's.
_SPELLED: Mapping[str, Any] = {
    "channel": _CHANNEL,
    "channelType": _CHANNEL,
    "sortBy": {**words(map(camel, SORT_COLUMNS)), "default": "createdAt"},
    "sortDirection": {**words(["asc", "desc"]), "default": "desc"},
}
# Parameters outside of searches: pages, and values that routes read themselves.
_OTHERS: Mapping[str, Any] = {
    "page": {"type": "integer", "minimum": 1, "default": 1},
    "pageSize": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_PAGE_SIZE,
        "default": DEFAULT_PAGE_SIZE,
    },
    "account": _TEXT,
    "after": _TEXT,
    "destination": _TEXT,
    "from": {"type": "integer", "minimum": 1},
    "to": {"type": "integer", "minimum": 1},
    "mask": {"type": "boolean", "default": False},
    "asOf": _TEXT,
}
_TEXTS = {"type": "array", "items": _TEXT}
_TIME = {"type": "string", "format": "date-time"}
_OF_THE_LOG: Mapping[str, Any] = {
    **dict.fromkeys(SEVERAL, _TEXTS),
    "from": _TIME,
    "to": _TIME,
    "wait": {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT, "default": 0},
    "after": {"type": "integer", "minimum": 0, "default": 0},
    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_EVENTS, "default": DEFAULT_EVENTS},
}
_OF_HEADS: Mapping[str, Any] = {
    "after": {"type": "integer", "minimum": 0, "default": 0},
    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_HEADS, "default": DEFAULT_HEADS},
}
_TYPES = Types(NAMED)


def query_parameter(route: Route, name: str) -> tuple[dict[str, Any], str | None]:
    """Return the schema of a query parameter, and the description if it is a filter of a search."""
    filters = parameters(route.search) if route.search else ()
    for each in filters:
        if name in each.names:
            schema = _TYPES.described(route.search)["properties"][camel(each.field)]
            return _SPELLED.get(name) or _given(schema), each.finds
    if route.path == "/admin/v1/events" and name in _OF_THE_LOG:
        return _OF_THE_LOG[name], None
    if route.path == "/admin/v1/log/heads" and name in _OF_HEADS:
        return _OF_HEADS[name], None
    return _SPELLED.get(name) or _OTHERS[name], None


def _given(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without null, because a missing parameter is left out."""
    if isinstance(schema.get("type"), list):
        return {**schema, "type": schema["type"][0]}
    return schema["anyOf"][0] if "anyOf" in schema else schema
