"""Turns filters into SQL conditions, and hides some from SQLite's planner (D-169)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, assert_never

from sqlalchemy import Column, ColumnElement, Table, and_, bindparam, or_
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
from .leading_index import filtering_only, leading
from .listed_names import ListsName
from .query_shapes import ESCAPE
from .row_table import RowTable


def conditions(
    query: Query[Any], where: Sequence[Filter], table: RowTable[Any], rare: Collection[Lists]
) -> list[ColumnElement[bool]]:
    """Return the conditions of all filters; those that must not choose the index are hidden (D-169)."""
    way = leading(table.model.found_by, where, query.order_by, rare)
    hidden = filtering_only(way, where, query.order_by)
    return [_condition(each, table.table, hidden=each in hidden) for each in where]


def all_of(filters: Sequence[Filter], table: Table) -> ColumnElement[bool]:
    """Return one condition for all filters, with none hidden."""
    return and_(*(_condition(each, table) for each in filters))


def _condition(each: Filter, table: Table, *, hidden: bool = False) -> ColumnElement[bool]:
    columns = dict(table.columns.items())

    def compared(name: str) -> ColumnElement[Any]:
        return _Hidden(columns[name]) if hidden else columns[name]

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
            return or_(*(all_of(option, table) for option in options))
        case _:
            assert_never(each)


class _Hidden(FunctionElement[Any]):
    """A column whose index SQLite must not choose."""

    inherit_cache = True

    def __init__(self, column: Column[Any]) -> None:
        super().__init__(column)
        self.type = column.type


@compiles(_Hidden)
def _in_sqlite(element: _Hidden, compiler: SQLCompiler, **options: Any) -> str:
    # SQLite keeps no statistics, and cannot use an index for an expression.
    return f"+{compiler.process(element.clauses, **options)}"


@compiles(_Hidden, "postgresql")
def _in_postgresql(element: _Hidden, compiler: SQLCompiler, **options: Any) -> str:
    # PostgreSQL would estimate few rows for an expression, and would collect and sort all of them.
    return compiler.process(element.clauses, **options)
