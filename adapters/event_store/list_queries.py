"""From a list query to one SQL statement for its page and one for its total."""

from __future__ import annotations

from datetime import datetime
from typing import Any, assert_never

from sqlalchemy import ColumnElement, Select, Table, and_, func, or_, select

from ...application.ports.listings import (
    AtLeast,
    Below,
    Contains,
    Either,
    Equals,
    Filter,
    Missing,
    Query,
)
from .tables import RowTable, time_text

# Databases count rows in 64 bits; a page past this is as empty as one at it.
_LAST_OFFSET = 2**63 - 1


def page_statement(query: Query[Any], table: RowTable[Any]) -> Select[Any]:
    """Select one page; the key breaks ties, so that pages never overlap (C-17)."""
    columns = table.table.columns
    order = [columns[query.order_by], columns[table.key]]
    return (
        select(table.table)
        .where(*_conditions(query, table.table))
        .order_by(*(each.desc() if query.descending else each.asc() for each in order))
        .limit(query.page_size)
        .offset(min((query.page - 1) * query.page_size, _LAST_OFFSET))
    )


def total_statement(query: Query[Any], table: RowTable[Any]) -> Select[Any]:
    """Count the rows on all pages."""
    return select(func.count()).select_from(table.table).where(*_conditions(query, table.table))


def _conditions(query: Query[Any], table: Table) -> list[ColumnElement[bool]]:
    return [_condition(each, table) for each in query.where]


def _condition(each: Filter, table: Table) -> ColumnElement[bool]:
    columns: dict[str, ColumnElement[Any]] = dict(table.columns.items())
    match each:
        case Equals(column, value):
            equal: ColumnElement[bool] = columns[column] == _stored(value)
            return equal
        case Contains(column, text):
            return columns[column].contains(text, autoescape=True)
        case AtLeast(column, value):
            at_least: ColumnElement[bool] = columns[column] >= _stored(value)
            return at_least
        case Below(column, value):
            below: ColumnElement[bool] = columns[column] < _stored(value)
            return below
        case Missing(column):
            return columns[column].is_(None)
        case Either(options):
            return or_(
                *(and_(*(_condition(inner, table) for inner in option)) for option in options)
            )
        case _:
            assert_never(each)


def _stored(value: Any) -> Any:
    return time_text(value) if isinstance(value, datetime) else value
