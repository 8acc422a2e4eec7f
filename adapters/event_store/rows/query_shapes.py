"""
Separates the shape of a list query from its values.

Queries that differ only in their values share one statement: to compile one takes longer than to read
most lists.
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
# In place of a NUL, which no stored text has and at which SQLite would stop to read: characters that
# Unicode keeps from being any, in an order that nobody has a reason to write.
NOWHERE = "\U0010ffff\U0010fffe\U0010ffff"
# Databases count rows in 64 bits; every page past this is empty.
_LAST_OFFSET = 2**63 - 1


def shaped(query: Query[Any]) -> tuple[Query[Any], dict[str, Any]]:
    """
    Take the values out of a query, in stored form, by name.

    In its shape, a filter has the name of its value instead; only an empty value, or a listed name,
    is part of it.
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
