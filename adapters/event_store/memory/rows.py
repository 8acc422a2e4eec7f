"""The read models of a store in memory: rows by key, and filtered lists of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import Any, TypeVar

from attrs import fields

from ....application.ports.listings import (
    AtLeast,
    Below,
    Contains,
    Either,
    Equals,
    Filter,
    Lists,
    Missing,
    Page,
    Present,
    Query,
)
from ....application.records.read_model import Row
from ..rows.erasing import PERSON_ID

R = TypeVar("R", bound=Row)


class MemoryRows:
    """
    Scans all rows for each list, and returns copies.

    Rows are frozen only for the type checker (D-121): an embedder's writes to a copy do not reach the
    store.
    """

    def __init__(self) -> None:
        self._rows: dict[type[Row], dict[str, Row]] = {}

    async def page(self, query: Query[R]) -> Page[R]:
        """Return one page of a list."""
        found = self._found(query)
        most = len(found) if query.counted_to is None else query.counted_to
        return Page(_slice(query, found), min(len(found), most))

    async def slice(self, query: Query[R]) -> Sequence[R]:
        """Return one page without counting the list."""
        return _slice(query, self._found(query))

    async def row(self, rows: type[R], key: str) -> R | None:
        """Return one row."""
        found = self._rows.get(rows, {}).get(key)
        return copy(found) if isinstance(found, rows) else None

    async def rows(self, rows: type[R], keys: Collection[str]) -> Mapping[str, R]:
        """Return several rows."""
        kept: Mapping[str, Any] = self._rows.get(rows, {})
        return {key: copy(kept[key]) for key in keys if key in kept}

    async def forget_rows(self, rows: type[Row], column: str, before: datetime) -> int:
        """Drop the rows whose time in `column` is before `before`."""
        kept = self._rows.get(rows, {})
        old = [key for key, row in kept.items() if _matches(Below(column, before), row)]
        for key in old:
            del kept[key]
        return len(old)

    def _put(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._rows.setdefault(type(row), {})[_key(row)] = row

    def _keys_of_person(self, person_id: str) -> set[str]:
        return {
            key
            for rows in self._rows.values()
            for key, row in rows.items()
            if getattr(row, PERSON_ID, None) == person_id
        }

    def _copied_rows(self) -> dict[type[Row], dict[str, Row]]:
        return {kind: dict(rows) for kind, rows in self._rows.items()}

    def _found(self, query: Query[R]) -> list[R]:
        found: list[Any] = [
            row
            for row in self._rows.get(query.rows, {}).values()
            if all(_matches(each, row) for each in query.where)
        ]
        found.sort(
            key=lambda row: (_sortable(getattr(row, query.order_by)), _key(row)),
            reverse=query.descending,
        )
        return found


def _key(row: Row) -> str:
    return str(getattr(row, fields(type(row))[0].name))


def _slice(query: Query[R], found: Sequence[R]) -> Sequence[R]:
    start = (query.page - 1) * query.page_size
    return [copy(row) for row in found[start : start + query.page_size]]


def _sortable(value: Any) -> tuple[bool, Any]:
    return (value is not None, value)


def _matches(each: Filter, row: Row) -> bool:
    match each:
        case Equals(column, value):
            return bool(getattr(row, column) == value)
        case Contains(column, text):
            found = getattr(row, column)
            return found is not None and text.casefold() in str(found).casefold()
        case Lists(column, name):
            return name in getattr(row, column)
        case AtLeast(column, value):
            found = getattr(row, column)
            return found is not None and bool(found >= value)
        case Below(column, value):
            found = getattr(row, column)
            return found is not None and bool(found < value)
        case Missing(column):
            return getattr(row, column) is None
        case Present(column):
            return getattr(row, column) is not None
        case Either(options):
            return any(all(_matches(inner, row) for inner in option) for option in options)
