"""Reads pages and totals of read models from a SQL store, each along an index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from attrs import evolve

from ....application.ports.listings import Lists, Page, Query
from ....application.records.read_model import Row
from ...vault import Vault
from ..rows.leading_index import range_of
from ..rows.list_queries import page_statement, total_statement
from ..rows.read_model_tables import ROW_TABLES
from ..rows.row_opening import RowOpening
from ..rows.searchable import searchable
from .dialect import SqlDialect

R = TypeVar("R", bound=Row)

# A list with a range, such as live codes by expiry, is read whole along the range if it is this short. Read
# in its own order, it could have any number of rows outside the range in between (D-170).
FEW = 250
# If no more rows list a word, the index of that word is used, whatever the other filters are.
RARE = 2_500


class ListReads:
    """Reads lists on the caller's thread; `fetch` runs a statement there and returns its rows."""

    def __init__(
        self,
        dialect: SqlDialect,
        fetch: Callable[[str, Sequence[Any]], list[Any]],
        vault: Vault,
        opening: RowOpening,
    ) -> None:
        self._dialect = dialect
        self._fetch = fetch
        self._vault = vault
        self._opening = opening

    def page(self, query: Query[R]) -> Page[R]:
        """Return one page and the number of rows on all pages."""
        query = searchable(query, ROW_TABLES[query.rows], self._vault)
        few = self._few(query)
        if few is not None:
            before = (query.page - 1) * query.page_size
            return Page(few[before : before + query.page_size], len(few))
        rare = self._rare(query)
        ((total,),) = self._fetch(*self._dialect.asked(total_statement, query, rare))
        return Page(self._rows(query, rare), total)

    def slice(self, query: Query[R]) -> list[R]:
        """Return one page without counting the list."""
        query = searchable(query, ROW_TABLES[query.rows], self._vault)
        return self._rows(query, frozenset())

    def by_key(self, rows: type[R], keys: Any) -> dict[str, R]:
        """Return the rows of some keys, which are packed as one value."""
        table = ROW_TABLES[rows]
        found = self._fetch(self._dialect.by_key(table), (keys,))
        return {table.key_of(row): row for row in self._opening.rows(table, found)}

    def _rows(self, query: Query[R], rare: frozenset[Lists]) -> list[R]:
        asked = self._dialect.asked(page_statement, query, rare)
        return self._opening.rows(ROW_TABLES[query.rows], self._fetch(*asked))

    def _few(self, query: Query[R]) -> list[R] | None:
        """Return the whole list if a range finds it and it is short; else None."""
        table = ROW_TABLES[query.rows]
        column = range_of(table.model.found_by, query.where, query.order_by)
        if column is None:
            return None
        shortest = evolve(query, order_by=column, descending=False, page=1, page_size=FEW + 1)
        gathered = self._rows(shortest, frozenset())
        if len(gathered) > FEW:
            return None
        return sorted(
            gathered,
            key=lambda row: (getattr(row, query.order_by), table.key_of(row)),
            reverse=query.descending,
        )

    def _rare(self, query: Query[Any]) -> frozenset[Lists]:
        """Return the words of a query that few rows list."""
        words = (each for each in query.where if isinstance(each, Lists))
        return frozenset(each for each in words if not self._is_common(query.rows, each))

    def _is_common(self, rows: type[Row], word: Lists) -> bool:
        one_more = Query(rows=rows, where=(word,), page=RARE + 1, page_size=1)
        return bool(self._fetch(*self._dialect.asked(page_statement, one_more)))
