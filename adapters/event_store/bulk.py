"""
Statements for many rows at once.

Each statement that runs hands the interpreter lock over and back, which under load costs more than
the statement; so rows travel together. Their number is cut into powers of two, or filled up to one,
so that few different statements exist and each stays prepared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any

from attrs import frozen
from eventsourcing.sqlite import SQLiteCursor

_MOST = 64


@frozen
class Bulk:
    """A statement with rows of `width` parameters between `head` and `tail`."""

    head: str
    width: int
    tail: str = ""

    def run(self, cursor: SQLiteCursor, rows: Sequence[Sequence[Any]]) -> None:
        """Execute for all rows, in order."""
        start = 0
        while start < len(rows):
            size = min(_MOST, 1 << ((len(rows) - start).bit_length() - 1))
            cursor.execute(_text(self, size), list(chain.from_iterable(rows[start : start + size])))
            start += size

    def select(self, cursor: SQLiteCursor, rows: Iterable[Sequence[Any]]) -> list[Any]:
        """Query for all rows; some are asked for twice, which changes no answer that is a set."""
        asked = list(rows)
        found: list[Any] = []
        for start in range(0, len(asked), _MOST):
            part = asked[start : start + _MOST]
            size = 1 << (len(part) - 1).bit_length()
            part += [part[-1]] * (size - len(part))
            cursor.execute(_text(self, size), list(chain.from_iterable(part)))
            found += cursor.fetchall()
        return found


@cache
def _text(statement: Bulk, size: int) -> str:
    row = f"({', '.join('?' * statement.width)})"
    return f"{statement.head} {', '.join([row] * size)} {statement.tail}"
