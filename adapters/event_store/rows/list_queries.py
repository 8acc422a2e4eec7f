"""Builds the SQL statements of a list query: one for its page and one for its total."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    CompoundSelect,
    Select,
    bindparam,
    func,
    literal_column,
    select,
    true,
    union_all,
)

from ....application.ports.listings import (
    Either,
    Lists,
    Query,
)
from .filters import all_of, conditions
from .query_shapes import LIMIT, MOST, OFFSET
from .row_table import RowTable

Statement = Select[Any] | CompoundSelect[Any]


def page_statement(
    query: Query[Any], table: RowTable[Any], rare: Collection[Lists] = ()
) -> Statement:
    """Select one page; the key breaks ties, so pages never overlap (C-17)."""
    ways = [select(table.table).where(*way) for way in _ways(query, table, rare)]
    found: Statement = ways[0] if len(ways) == 1 else union_all(*ways)
    order = [
        _ordered(found.selected_columns[name], table.table.columns[name], query)
        for name in (query.order_by, table.key)
    ]
    return found.order_by(*order).limit(bindparam(LIMIT)).offset(bindparam(OFFSET))


def total_statement(
    query: Query[Any], table: RowTable[Any], rare: Collection[Lists] = ()
) -> Statement:
    """Count the rows on all pages, up to `counted_to` if it is set."""
    if query.counted_to is not None:
        ways: list[Select[Any]] = [
            select(literal_column("1")).select_from(table.table).where(*way)
            for way in _ways(query, table, rare)
        ]
        found: Statement = ways[0] if len(ways) == 1 else union_all(*ways)
        return select(func.count()).select_from(
            found.limit(bindparam(MOST)).offset(literal_column("0")).subquery()
        )
    where = conditions(query, query.where, table, rare)
    return select(func.count()).select_from(table.table).where(*where)


def _ordered(
    selected: ColumnElement[Any], column: Column[Any], query: Query[Any]
) -> ColumnElement[Any]:
    ordered = selected.desc() if query.descending else selected.asc()
    if not column.nullable:
        return ordered
    # Databases sort NULL differently; here it is the least value.
    return ordered.nulls_last() if query.descending else ordered.nulls_first()


def _ways(
    query: Query[Any], table: RowTable[Any], rare: Collection[Lists]
) -> list[list[ColumnElement[bool]]]:
    """
    Return disjoint conditions that together select the rows of the list.

    Each option of an `Either` is selected along its own index, and the results are merged in order. With
    an `OR`, the database would collect and sort all matching rows (D-40).
    """
    either = next((each for each in query.where if isinstance(each, Either)), None)
    if either is None:
        return [conditions(query, query.where, table, rare)]
    others = [each for each in query.where if each is not either]
    options = [all_of(option, table.table) for option in either.options]
    return [
        [
            *conditions(query, (*others, *option), table, rare),
            *(earlier.is_not(true()) for earlier in options[:number]),
        ]
        for number, option in enumerate(either.options)
    ]
