"""The SQL dialects of the databases, as far as statements differ."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any

from attrs import frozen
from sqlalchemy.engine import Dialect

from ....application.ports.listings import Lists, Query
from ..rows.list_queries import Statement
from ..rows.query_shapes import shaped
from ..rows.read_model_tables import ROW_TABLES
from ..rows.row_table import RowTable

Making = Callable[[Query[Any], RowTable[Any], Collection[Lists]], Statement]


@frozen
class SqlDialect:
    """
    How statements differ between databases.

    `position` is the column of events' positions. A list is one value of a statement: `pack` encodes it,
    and the subquery `items` expands it. So the number of items does not change the statement's text.
    """

    lists: Dialect
    position: str
    items: str
    pack: Callable[[Collection[str]], Any]

    def by_key(self, table: RowTable[Any]) -> str:
        """Return the statement that selects rows by a list of keys."""
        columns = ", ".join(table.shape.columns)
        return f"SELECT {columns} FROM {table.name} WHERE {table.key} IN ({self.items})"

    def asked(
        self, make: Making, query: Query[Any], rare: frozenset[Lists] = frozenset()
    ) -> tuple[str, Sequence[Any]]:
        """Return the statement of a query and its values in order."""
        shape, values = shaped(query)
        text, names = _compiled(self, make, shape, rare)
        return text, [values[name] for name in names]


@lru_cache(maxsize=512)
def _compiled(
    dialect: SqlDialect, make: Making, shape: Query[Any], rare: frozenset[Lists]
) -> tuple[str, tuple[str, ...]]:
    """Return a statement and the names of its values, in order."""
    made = make(shape, ROW_TABLES[shape.rows], rare).compile(dialect=dialect.lists)
    return str(made), tuple(made.positiontup or ())
