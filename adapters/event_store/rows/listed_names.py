"""The condition that a column lists a name; index and query spell it alike, so the index serves the query."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class ListsName(FunctionElement[bool]):
    """Whether a text such as `,sms,email,` has a name, a word of letters that stands in it literally."""

    # Of no type: SQLite would be asked whether a truth is 1, which is not what its index says.
    inherit_cache = False

    def __init__(self, column: ColumnElement[str], name: str) -> None:
        super().__init__(column)
        self.name = name

    def sides(self, compiler: SQLCompiler, options: dict[str, Any]) -> tuple[str, str]:
        """Write the column, and what is looked for in it."""
        (column,) = self.clauses
        sought = compiler.render_literal_value(f",{self.name},", String())
        return compiler.process(column, **options), sought


@compiles(ListsName)
def _in_sqlite(element: ListsName, compiler: SQLCompiler, **options: Any) -> str:
    column, sought = element.sides(compiler, options)
    return f"(instr({column}, {sought}) > 0)"


@compiles(ListsName, "postgresql")
def _in_postgresql(element: ListsName, compiler: SQLCompiler, **options: Any) -> str:
    # Of a pattern PostgreSQL knows how many rows have it, and of a function's outcome nothing.
    column, sought = element.sides(compiler, options)
    return f"({column} ~ {sought})"
