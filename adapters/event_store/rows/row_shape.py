"""The shape of a table for a writer, whose process starts faster without SQLAlchemy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from attrs import frozen

from .time_text import time_text


@frozen(eq=False)
class RowShape:
    """
    The columns of one read model's table, the key first.

    `fixed` columns, such as the key, never change after the insert, so an update leaves them and their
    indexes alone. An update with None in a column of `kept` leaves that column alone. `times`, `words`
    and `texts` are the positions of values that are stored as times, as words between commas, and as
    JSON.
    """

    name: str
    columns: tuple[str, ...]
    fixed: frozenset[str]
    kept: frozenset[str]
    times: tuple[int, ...]
    words: tuple[int, ...]
    texts: tuple[int, ...]

    def encode(self, values: Sequence[Any]) -> list[Any]:
        """Return the stored form of values in the order of the columns."""
        encoded = list(values)
        for index in self.times:
            if encoded[index] is not None:
                encoded[index] = time_text(encoded[index])
        for index in self.words:
            encoded[index] = f",{','.join(encoded[index])},"
        for index in self.texts:
            if encoded[index] is not None:
                encoded[index] = msgspec.json.encode(encoded[index]).decode()
        return encoded

    def assignments(self) -> str:
        """Return the assignments of an upsert to an existing row; nothing if no column may change."""
        return ", ".join(
            f"{each} = coalesce(excluded.{each}, {self.name}.{each})"
            if each in self.kept
            else f"{each} = excluded.{each}"
            for each in self.columns
            if each not in self.fixed
        )

    def merged(self, earlier: Sequence[Any], later: Sequence[Any]) -> Sequence[Any]:
        """Return the values after two writes of one row, of which only one is stored."""
        return [
            before if name in self.fixed or (name in self.kept and after is None) else after
            for name, before, after in zip(self.columns, earlier, later, strict=True)
        ]


def words_in(text: str) -> tuple[str, ...]:
    """Parse a stored list of words; raises `ValueError`."""
    if len(text) == 1 or {text[:1], text[-1:]} != {","}:
        raise ValueError("A list of words begins and ends with a comma.")
    return tuple(text[1:-1].split(",")) if len(text) > 2 else ()
