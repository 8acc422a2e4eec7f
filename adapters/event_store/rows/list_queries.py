"""From the shape of a list query to one SQL statement for its page and one for its total."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, assert_never

from sqlalchemy import (
    Column,
    ColumnElement,
    CompoundSelect,
    Select,
    Table,
    and_,
    bindparam,
    func,
    literal_column,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from ....application.ports.listings import (
    AtLeast,
    Below,
    Contains,
    Either,
    Equals,
    Filter,
    Lists,
    Missing,
    Present,
    Query,
)
from .leading_index import leading, looked_at
from .listed_names import ListsName
from .query_shapes import ESCAPE, LIMIT, MOST, OFFSET
from .row_table import RowTable

Statement = Select[Any] | CompoundSelect[Any]


def page_statement(
    query: Query[Any], table: RowTable[Any], rare: Collection[Lists] = ()
) -> Statement:
    """Select one page; the key breaks ties, so that pages never overlap (C-17)."""
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
    """Count the rows on all pages, or as far as is asked for."""
    if query.counted_to is not None:
        ways: list[Select[Any]] = [
            select(literal_column("1")).select_from(table.table).where(*way)
            for way in _ways(query, table, rare)
        ]
        found: Statement = ways[0] if len(ways) == 1 else union_all(*ways)
        return select(func.count()).select_from(
            found.limit(bindparam(MOST)).offset(literal_column("0")).subquery()
        )
    conditions = _conditions(query, query.where, table, rare)
    return select(func.count()).select_from(table.table).where(*conditions)


def _ordered(
    selected: ColumnElement[Any], column: Column[Any], query: Query[Any]
) -> ColumnElement[Any]:
    ordered = selected.desc() if query.descending else selected.asc()
    if not column.nullable:
        return ordered
    # What is empty is the least, which databases see in different ways.
    return ordered.nulls_last() if query.descending else ordered.nulls_first()


def _ways(
    query: Query[Any], table: RowTable[Any], rare: Collection[Lists]
) -> list[list[ColumnElement[bool]]]:
    """
    Return the ways in which a row can be on the list, without overlap.

    The options of an `Either` are selected one by one, each along its own index, and merged in
    order: a condition with `OR` in it would have every row that fits gathered and sorted (D-40).
    """
    either = next((each for each in query.where if isinstance(each, Either)), None)
    if either is None:
        return [_conditions(query, query.where, table, rare)]
    others = [each for each in query.where if each is not either]
    options = [_all_of(option, table.table) for option in either.options]
    return [
        [
            *_conditions(query, (*others, *option), table, rare),
            *(earlier.is_not(true()) for earlier in options[:number]),
        ]
        for number, option in enumerate(either.options)
    ]


def _conditions(
    query: Query[Any], where: Sequence[Filter], table: RowTable[Any], rare: Collection[Lists]
) -> list[ColumnElement[bool]]:
    """Return the conditions of filters that hold together, all but the leading ones hidden (D-169)."""
    way = leading(table.model.found_by, where, query.order_by, rare)
    passing = looked_at(way, where, query.order_by)
    return [_condition(each, table.table, in_passing=each in passing) for each in where]


def _all_of(filters: Sequence[Filter], table: Table) -> ColumnElement[bool]:
    return and_(*(_condition(each, table) for each in filters))


def _condition(each: Filter, table: Table, *, in_passing: bool = False) -> ColumnElement[bool]:
    columns = dict(table.columns.items())

    def compared(name: str) -> ColumnElement[Any]:
        return _InPassing(columns[name]) if in_passing else columns[name]

    match each:
        case Equals(column, None) | Missing(column):
            return columns[column].is_(None)
        case Equals(column, name):
            equal: ColumnElement[bool] = compared(column) == bindparam(name)
            return equal
        case Contains(column, name):
            return columns[column].icontains(bindparam(name), escape=ESCAPE)
        case Lists(column, name):
            return ListsName(columns[column], name)
        case AtLeast(column, name):
            at_least: ColumnElement[bool] = compared(column) >= bindparam(name)
            return at_least
        case Below(column, name):
            below: ColumnElement[bool] = compared(column) < bindparam(name)
            return below
        case Present(column):
            return columns[column].is_not(None)
        case Either(options):
            return or_(*(_all_of(option, table) for option in options))
        case _:
            assert_never(each)


class _InPassing(FunctionElement[Any]):
    """A column along which no index is to be gone."""

    inherit_cache = True

    def __init__(self, column: Column[Any]) -> None:
        super().__init__(column)
        self.type = column.type


@compiles(_InPassing)
def _hidden(element: _InPassing, compiler: SQLCompiler, **options: Any) -> str:
    # SQLite keeps no statistics, and no index knows the outcome of an expression.
    return f"+{compiler.process(element.clauses, **options)}"


@compiles(_InPassing, "postgresql")
def _plain(element: _InPassing, compiler: SQLCompiler, **options: Any) -> str:
    # Of an expression PostgreSQL would think that it holds for hardly any row, and gather them all.
    return compiler.process(element.clauses, **options)
