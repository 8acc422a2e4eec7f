"""From a list query to one SQL statement for its page and one for its total."""

from __future__ import annotations

from datetime import datetime
from typing import Any, assert_never

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    Table,
    and_,
    func,
    or_,
    select,
    true,
    union_all,
)

from ...application.ports.listings import (
    AtLeast,
    Below,
    Contains,
    Either,
    Equals,
    Filter,
    Missing,
    Present,
    Query,
)
from .tables import RowTable, time_text

# Databases count rows in 64 bits; a page past this is as empty as one at it.
_LAST_OFFSET = 2**63 - 1


def page_statement(query: Query[Any], table: RowTable[Any]) -> Select[Any] | CompoundSelect[Any]:
    """Select one page; the key breaks ties, so that pages never overlap (C-17)."""
    ways = [select(table.table).where(*way) for way in _ways(query, table.table)]
    found: Select[Any] | CompoundSelect[Any] = ways[0] if len(ways) == 1 else union_all(*ways)
    order = [found.selected_columns[name] for name in (query.order_by, table.key)]
    return (
        found.order_by(*(each.desc() if query.descending else each.asc() for each in order))
        .limit(query.page_size)
        .offset(min((query.page - 1) * query.page_size, _LAST_OFFSET))
    )


def total_statement(query: Query[Any], table: RowTable[Any]) -> Select[Any]:
    """Count the rows on all pages."""
    return select(func.count()).select_from(table.table).where(*_conditions(query, table.table))


def _ways(query: Query[Any], table: Table) -> list[list[ColumnElement[bool]]]:
    """
    Give the ways in which a row can be on the list, without overlap.

    The options of an `Either` are selected one by one, each along its own index, and merged in
    order: a condition with `OR` in it would have every row that fits gathered and sorted.
    """
    either = next((each for each in query.where if isinstance(each, Either)), None)
    if either is None:
        return [_conditions(query, table)]
    others = [_condition(each, table) for each in query.where if each is not either]
    options = [and_(*(_condition(inner, table) for inner in option)) for option in either.options]
    return [
        [*others, option, *(earlier.is_not(true()) for earlier in options[:number])]
        for number, option in enumerate(options)
    ]


def _conditions(query: Query[Any], table: Table) -> list[ColumnElement[bool]]:
    return [_condition(each, table) for each in query.where]


def _condition(each: Filter, table: Table) -> ColumnElement[bool]:
    columns: dict[str, ColumnElement[Any]] = dict(table.columns.items())
    match each:
        case Equals(column, value, in_passing):
            # No index knows the outcome of a function.
            compared = func.coalesce(*[columns[column]] * 2) if in_passing else columns[column]
            equal: ColumnElement[bool] = compared == _stored(value)
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
        case Present(column):
            return columns[column].is_not(None)
        case Either(options):
            return or_(
                *(and_(*(_condition(inner, table) for inner in option)) for option in options)
            )
        case _:
            assert_never(each)


def _stored(value: Any) -> Any:
    return time_text(value) if isinstance(value, datetime) else value
