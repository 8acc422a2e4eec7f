"""
Builds an index for each way of finding rows.

The condition of a partial index is kept apart from SQLAlchemy's dialects, which would have to be loaded.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Index, column
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex

from ....application.records.read_model import FoundBy
from .listed_names import ListsName

_WHERE = "where"


def index_of(way: FoundBy) -> Index:
    """Return the index for a way of finding rows."""
    condition = _condition(way)
    return Index(way.name, *way.fields, info={} if condition is None else {_WHERE: condition})


def index_statement(index: Index, dialect: Dialect, *, if_not_exists: bool = False) -> str:
    """Return the statement that creates an index, partial or not."""
    made = str(CreateIndex(index, if_not_exists=if_not_exists).compile(dialect=dialect))
    condition: ColumnElement[bool] | None = index.info.get(_WHERE)
    if condition is None:
        return made
    return (
        f"{made} WHERE {condition.compile(dialect=dialect, compile_kwargs={'literal_binds': True})}"
    )


def _condition(way: FoundBy) -> ColumnElement[bool] | None:
    if way.present is not None:
        return column(way.present).is_not(None)
    if way.lists is not None:
        field, word = way.lists
        return ListsName(column(field), word)
    return None
