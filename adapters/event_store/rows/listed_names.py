"""The condition that a column lists a name, spelled alike for index and query so that the index fits."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class ListsName(FunctionElement[bool]):
    """Whether a text such as `,sms,email,` contains a name; the name consists of letters."""

    # Without a type: for a boolean, SQLAlchemy would write `= 1`, which differs from the index.
    inherit_cache = False

    def __init__(self, column: ColumnElement[str], name: str) -> None:
        super().__init__(column)
        self.name = name

    def sides(self, compiler: SQLCompiler, options: dict[str, Any]) -> tuple[str, str]:
        """Return the SQL of the column and of the text to look for."""
        (column,) = self.clauses
        sought = compiler.render_literal_value(f",{self.name},", String())
        return compiler.process(column, **options), sought


@compiles(ListsName)
def _in_sqlite(element: ListsName, compiler: SQLCompiler, **options: Any) -> str:
    column, sought = element.sides(compiler, options)
    return f"(instr({column}, {sought}) > 0)"


@compiles(ListsName, "postgresql")
def _in_postgresql(element: ListsName, compiler: SQLCompiler, **options: Any) -> str:
    # PostgreSQL estimates the number of rows for a pattern, but not for a function's result.
    column, sought = element.sides(compiler, options)
    return f"({column} ~ {sought})"
