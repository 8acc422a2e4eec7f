"""Searches by personal fields, of which a store has HMACs alone (C-73, D-327)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from attrs import evolve

from ....application.ports.listings import Either, Equals, Filter, Missing, Present, Query
from ....application.records.read_model import ACCOUNT_ID, Row
from ....domain.event import is_erased
from ...vault import Vault
from .row_table import RowTable

R = TypeVar("R", bound=Row)


def hashed_value(
    table: RowTable[Any], field: str, account_id: str, value: str | None, vault: Vault
) -> str | None:
    """Return the HMAC in the column of a findable field; None without a value, or after an erasure."""
    if value is None or is_erased(value):
        return None
    return vault.hashed(f"{table.name}.{field}", account_id, value)


def searchable(query: Query[R], table: RowTable[R], vault: Vault) -> Query[R]:
    """Return a query with HMACs in the place of the personal texts that it asks for."""
    account_id = checked(query, table)
    if account_id is None or table.personal is None:
        return query
    findable = table.personal.findable

    def hashed(each: Filter) -> Filter:
        match each:
            case Equals(column, str(value)) if column in findable:
                return Equals(
                    column, hashed_value(table, column, account_id, value, vault) or value
                )
            case Either(options):
                return Either(tuple(tuple(map(hashed, option)) for option in options))
            case _:
                return each

    return evolve(query, where=tuple(map(hashed, query.where)))


def checked(query: Query[Any], table: RowTable[Any]) -> str | None:
    """
    Return the account in which a query looks for personal texts; None if it looks for none.

    Raises `ValueError` for a query that no column can answer: by a sealed field or in its order, or by a
    personal text in all accounts.
    """
    if table.personal is None:
        return None
    sealed, findable = table.personal.fields, table.personal.findable
    seeks = False
    for each in _filters(query.where):
        known = each.column in findable and isinstance(each, Equals | Missing | Present)
        if each.column in sealed and not known:
            raise ValueError(
                f"{each.column} of {query.rows.__name__} is sealed; no search finds it."
            )
        seeks = seeks or (
            each.column in findable and isinstance(each, Equals) and each.value is not None
        )
    if query.order_by in sealed:
        raise ValueError(f"{query.order_by} of {query.rows.__name__} is sealed and has no order.")
    if not seeks:
        return None
    for each in query.where:
        if isinstance(each, Equals) and each.column == ACCOUNT_ID and each.value is not None:
            return str(each.value)
    raise ValueError(f"A search of {query.rows.__name__} by a personal text needs its account.")


def _filters(where: Sequence[Filter]) -> Iterator[Any]:
    for each in where:
        if isinstance(each, Either):
            for option in each.options:
                yield from _filters(option)
        else:
            yield each
