"""The read models of a store in memory: rows by key, and filtered lists of them."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import Any, TypeVar

from attrs import fields

from ....application.matching import matches
from ....application.ports.listings import (
    Below,
    Page,
    Query,
    Start,
    Sum,
    Total,
)
from ....application.ports.snapshot import KeptRow
from ....application.records.read_model import PERSON_ID, Row
from ..rows.erasing import erased_row
from ..rows.read_model_tables import ROW_TABLES
from ..rows.searchable import checked

R = TypeVar("R", bound=Row)


class MemoryRows:
    """
    Scans all rows for each list, and returns copies.

    Rows are frozen only for the type checker (D-121): an embedder's writes to a copy do not reach the
    store. They stay in clear; one of a person who is not among `living` reads as erased.
    """

    def __init__(self, living: Container[str]) -> None:
        self._rows: dict[type[Row], dict[str, Row]] = {}
        self._living = living

    async def page(self, query: Query[R]) -> Page[R]:
        """Return one page of a list."""
        found = self._found(query)
        most = len(found) if query.counted_to is None else query.counted_to
        return Page(self._slice(query, found), min(len(found), most))

    async def slice(self, query: Query[R]) -> Sequence[R]:
        """Return one page without counting the list."""
        return self._slice(query, self._found(query))

    async def row(self, rows: type[R], key: str) -> R | None:
        """Return one row."""
        found = self._rows.get(rows, {}).get(key)
        return self._shown(found) if isinstance(found, rows) else None

    async def rows(self, rows: type[R], keys: Collection[str]) -> Mapping[str, R]:
        """Return several rows."""
        kept: Mapping[str, Any] = self._rows.get(rows, {})
        return {key: self._shown(kept[key]) for key in keys if key in kept}

    async def forget_rows(self, rows: type[Row], column: str, before: datetime) -> int:
        """Drop the rows whose time in `column` is before `before`."""
        kept = self._rows.get(rows, {})
        old = [key for key, row in kept.items() if matches(Below(column, before), row)]
        for key in old:
            del kept[key]
        return len(old)

    def _totals(self, asked: Sum[Any]) -> list[Total]:
        """Return the sums over the rows of one read model."""
        sums: dict[tuple[str | None, ...], list[int]] = {}
        for row in self._rows.get(asked.rows, {}).values():
            if all(matches(each, row) for each in asked.where):
                key = tuple([_text(row, each) for each in asked.by])
                added = sums.setdefault(key, [0] * len(asked.add))
                for place, name in enumerate(asked.add):
                    added[place] += getattr(row, name)
        return [Total(key, tuple(added)) for key, added in sums.items()]

    def _put(self, rows: Iterable[Row]) -> None:
        for row in rows:
            # A state from before an erasure does not bring back what the erasure removed.
            self._rows.setdefault(type(row), {})[_key(row)] = self._shown(row)

    def _remove(self, rows: Iterable[tuple[type[Row], str]]) -> None:
        for kind, key in rows:
            self._rows.get(kind, {}).pop(key, None)

    def _shown(self, row: R) -> R:
        return erased_row(row) if self._is_gone(row) else copy(row)

    def _is_gone(self, row: Row) -> bool:
        person_id = getattr(row, PERSON_ID, None)
        return person_id is not None and person_id not in self._living

    def _row_under(self, key: str) -> Row | None:
        return next((rows[key] for rows in self._rows.values() if key in rows), None)

    def _erase(self, person_id: str) -> tuple[set[str], int]:
        """Erase personal members; return the keys of the person's rows, and how many lost any."""
        keys: set[str] = set()
        erased = 0
        for rows in self._rows.values():
            for key, row in rows.items():
                if getattr(row, PERSON_ID, None) == person_id:
                    keys.add(key)
                    rows[key] = erased_row(row)
                    erased += rows[key] != row
        return keys, erased

    def _slice(self, query: Query[R], found: Sequence[R]) -> Sequence[R]:
        start = (query.page - 1) * query.page_size
        return [self._shown(row) for row in found[start : start + query.page_size]]

    def _kept_rows(self) -> dict[type[Row], dict[str, KeptRow[Any]]]:
        return {
            kind: {
                key: KeptRow(key, self._shown(row), is_open=not self._is_gone(row))
                for key, row in rows.items()
            }
            for kind, rows in self._rows.items()
        }

    def _found(self, query: Query[R]) -> list[R]:
        checked(query, ROW_TABLES[query.rows])
        found: list[Any] = [
            row
            for row in self._rows.get(query.rows, {}).values()
            if all(matches(each, row) for each in query.where)
        ]
        found.sort(
            key=lambda row: (_sortable(getattr(row, query.order_by)), _key(row)),
            reverse=query.descending,
        )
        return found


def _key(row: Row) -> str:
    return str(getattr(row, fields(type(row))[0].name))


def _text(row: Row, key: str | Start) -> str | None:
    """Return the stored text of a column, as a sum has it."""
    table = ROW_TABLES[type(row)]
    name = key if isinstance(key, str) else key.column
    stored = dict(zip(table.shape.columns, table.shape.encode(table.values(row)), strict=True))
    text = stored[name]
    if text is None:
        return None
    # As in databases, an empty text is none.
    return (str(text) if isinstance(key, str) else str(text)[: key.length]) or None


def _sortable(value: Any) -> tuple[bool, Any]:
    return (value is not None, value)
