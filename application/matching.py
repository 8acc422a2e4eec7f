"""Whether a row passes the filters of a query, where no database says so."""

from __future__ import annotations

from typing import Any

from ..domain.event import ERASED
from .ports.listings import (
    AtLeast,
    Below,
    Contains,
    Either,
    Equals,
    Filter,
    Lists,
    Missing,
    Present,
)
from .records.read_model import Row, findable_fields


def matches(each: Filter, row: Row) -> bool:
    """Return whether a row passes a filter."""
    match each:
        case Equals(column, value):
            return bool(_column(row, column) == value)
        case Contains(column, text):
            found = getattr(row, column)
            return found is not None and text.casefold() in str(found).casefold()
        case Lists(column, name):
            return name in getattr(row, column)
        case AtLeast(column, value):
            found = getattr(row, column)
            return found is not None and bool(found >= value)
        case Below(column, value):
            found = getattr(row, column)
            return found is not None and bool(found < value)
        case Missing(column):
            return _column(row, column) is None
        case Present(column):
            return _column(row, column) is not None
        case Either(options):
            return any(all(matches(inner, row) for inner in option) for option in options)


def _column(row: Row, column: str) -> Any:
    """Return what searches find in a column, as on disk: nothing after an erasure."""
    value = getattr(row, column)
    return None if value == ERASED and column in findable_fields(type(row)) else value
