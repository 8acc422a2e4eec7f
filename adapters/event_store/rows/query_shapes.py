"""
Separates a list query into its shape and its values.

Queries with the same shape share one statement, because building one takes longer than reading most
lists.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from attrs import evolve

from ....application.ports.listings import (
    Contains,
    Either,
    Equals,
    Filter,
    Lists,
    Missing,
    Present,
    Query,
)
from .time_text import time_text

LIMIT, OFFSET, MOST = "limit", "offset", "most"
ESCAPE = "/"
# Replaces a NUL, which no stored text has and at which SQLite would stop reading. These code points
# are no characters of Unicode, in an order that nobody would write.
NOWHERE = "\U0010ffff\U0010fffe\U0010ffff"
# Databases count rows in 64 bits; every page from here on is empty.
_LAST_OFFSET = 2**63 - 1


def shaped(query: Query[Any]) -> tuple[Query[Any], dict[str, Any]]:
    """
    Return the shape of a query, and its values in stored form by name.

    In the shape, a filter holds the name of its value instead. Only an empty value or a listed name is
    part of the shape.
    """
    values: dict[str, Any] = {
        LIMIT: query.page_size,
        OFFSET: min((query.page - 1) * query.page_size, _LAST_OFFSET),
    }
    where = tuple(_named(each, values) for each in query.where)
    counted_to = None
    if query.counted_to is not None:
        values[MOST], counted_to = query.counted_to, 0
    return evolve(query, where=where, page=1, page_size=0, counted_to=counted_to), values


def _named(each: Filter, values: dict[str, Any]) -> Filter:
    name = f"value_{len(values)}"
    match each:
        case Missing() | Present() | Lists() | Equals(value=None):
            return each
        case Contains(column, text):
            for character in (ESCAPE, "%", "_"):
                text = text.replace(character, ESCAPE + character)
            values[name] = text.replace("\x00", NOWHERE)
            return Contains(column, name)
        case Either(options):
            return Either(
                tuple(tuple(_named(inner, values) for inner in option) for option in options)
            )
        case _:
            at = isinstance(each.value, datetime)
            values[name] = time_text(each.value) if at else each.value
            return evolve(each, value=name)
