"""
Sums over read models in one statement, which a database answers from one moment (D-406).

A statement on a table follows the other in a UNION, with the number of a checkpoint as the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from ....application.ports.listings import (
    AtLeast,
    Below,
    Equals,
    Start,
    Sum,
    TooManyTotals,
    Total,
    Totals,
)
from ..rows.read_model_tables import ROW_TABLES
from ..rows.time_text import time_text

_MOST_KEYS = 4
# Stands for a missing value: a column of texts cannot have NULL in every branch of a UNION.
_MISSING = ""


def totals_asked(position: str, sums: Sequence[Sum[Any]], most: int) -> tuple[str, Sequence[Any]]:
    """Return the statement for some sums, and its values."""
    values: list[Any] = [position]
    for each in sums:
        values += [_stored(condition.value) for condition in each.where]
    # One row more than are allowed, beside that of the checkpoint.
    values.append(most + 2)
    shape = tuple(
        (ROW_TABLES[each.rows].name, tuple(map(_condition, each.where)), each.by, each.add)
        for each in sums
    )
    return _statement(shape), values


def totals_in(rows: Sequence[Sequence[Any]], sums: Sequence[Sum[Any]], most: int) -> Totals:
    """Return the answer in the rows of the statement; raises `TooManyTotals`."""
    if len(rows) > most + 1:
        raise TooManyTotals
    found: list[list[Total]] = [[] for _ in sums]
    position = 0
    for number, *cells in rows:
        if number < 0:
            position = int(cells[_MOST_KEYS])
            continue
        asked = sums[number]
        keys = cells[: len(asked.by)]
        added = cells[_MOST_KEYS : _MOST_KEYS + len(asked.add)]
        found[number].append(
            Total(tuple([each or None for each in keys]), tuple([int(each) for each in added]))
        )
    return Totals(position, found)


@lru_cache(maxsize=64)
def _statement(
    shape: tuple[tuple[str, tuple[str, ...], tuple[str | Start, ...], tuple[str, ...]], ...],
) -> str:
    width = max(len(add) for *_, add in shape)
    no_keys = [f"'{_MISSING}'"] * _MOST_KEYS
    stood = "coalesce((SELECT position FROM positions WHERE name = ?), 0)"
    parts = [f"SELECT -1, {', '.join([*no_keys, stood, *['0'] * (width - 1)])}"]
    for number, (table, where, by, add) in enumerate(shape):
        keys = [f"coalesce({_key(each)}, '{_MISSING}')" for each in by]
        cells = [*keys, *no_keys[len(keys) :]]
        cells += [f"sum({each})" for each in add]
        cells += ["0"] * (width - len(add))
        statement = f"SELECT {number}, {', '.join(cells)} FROM {table}"
        if where:
            statement += f" WHERE {' AND '.join(where)}"
        parts.append(f"{statement} GROUP BY {', '.join(keys)}")
    return f"SELECT * FROM ({' UNION ALL '.join(parts)}) AS found LIMIT ?"


def _key(key: str | Start) -> str:
    return f"substr({key.column}, 1, {key.length})" if isinstance(key, Start) else key


def _condition(condition: Equals | AtLeast | Below) -> str:
    match condition:
        case Equals(column, _):
            return f"{column} = ?"
        case AtLeast(column, _):
            return f"{column} >= ?"
        case Below(column, _):
            return f"{column} < ?"


def _stored(value: Any) -> Any:
    return time_text(value) if isinstance(value, datetime) else value
