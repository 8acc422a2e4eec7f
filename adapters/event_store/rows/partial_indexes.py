"""Indexes of some rows alone, kept in no database's words: SQLAlchemy would load the words of each."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Index
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex

_WHERE = "where"


def partial_index(name: str, condition: ColumnElement[bool], *columns: str) -> Index:
    """Give an index of the rows for which a condition holds."""
    return Index(name, *columns, info={_WHERE: condition})


def index_statement(index: Index, dialect: Dialect, *, if_not_exists: bool = False) -> str:
    """Give the statement that makes an index, partial or not."""
    made = str(CreateIndex(index, if_not_exists=if_not_exists).compile(dialect=dialect))
    condition: ColumnElement[bool] | None = index.info.get(_WHERE)
    if condition is None:
        return made
    return (
        f"{made} WHERE {condition.compile(dialect=dialect, compile_kwargs={'literal_binds': True})}"
    )
