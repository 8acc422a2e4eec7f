"""The rows of read models that a batch writes, replaces or removes; each row only once (D-448)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..rows.row_shape import RowShape

_ByTable = defaultdict[str, dict[str, Sequence[Any]]]


class ModelRows:
    """
    Collects what the appends of a batch do to rows, in their order; `shapes` are by table name.

    A write of a stream's row may lack what its first write sealed, and leaves columns alone that never
    change. A replacement, which a repair makes, has and writes all of them.
    """

    def __init__(self, shapes: Mapping[str, RowShape]) -> None:
        self._shapes = shapes
        self._put: _ByTable = defaultdict(dict)
        self._whole: _ByTable = defaultdict(dict)
        self._gone: defaultdict[str, set[str]] = defaultdict(set)
        self._repaired = False

    def put(self, table: str, values: Sequence[Any]) -> None:
        """Write a row."""
        by_key = self._put[table]
        if self._repaired:
            by_key = self._after_a_repair(table, values[0])
        earlier = by_key.get(values[0])
        # An update lacks what the row's first write sealed.
        by_key[values[0]] = (
            values if earlier is None else self._shapes[table].merged(earlier, values)
        )

    def replace(self, rows: Iterable[tuple[str, Sequence[Any]]]) -> None:
        """Write rows in all columns."""
        for table, values in rows:
            self._repaired = True
            self._put[table].pop(values[0], None)
            self._gone[table].discard(values[0])
            self._whole[table][values[0]] = values

    def remove(self, rows: Iterable[tuple[str, str]]) -> None:
        """Remove rows."""
        for table, key in rows:
            self._repaired = True
            self._put[table].pop(key, None)
            self._whole[table].pop(key, None)
            self._gone[table].add(key)

    def put_rows(self) -> Mapping[str, Sequence[Sequence[Any]]]:
        """Return the written rows by table, in stored form."""
        return self._encoded(self._put)

    def whole_rows(self) -> Mapping[str, Sequence[Sequence[Any]]]:
        """Return the replaced rows by table, in stored form."""
        return self._encoded(self._whole)

    def gone_keys(self) -> Mapping[str, Sequence[Sequence[Any]]]:
        """Return the keys of the removed rows by table."""
        return {table: [(key,) for key in sorted(keys)] for table, keys in self._gone.items()}

    def _after_a_repair(self, table: str, key: str) -> dict[str, Sequence[Any]]:
        """Return where a row is written that the batch may have replaced or removed before."""
        if key in self._gone[table]:
            # The row begins anew, in all columns.
            self._gone[table].discard(key)
            return self._whole[table]
        return self._whole[table] if key in self._whole[table] else self._put[table]

    def _encoded(self, rows: _ByTable) -> Mapping[str, Sequence[Sequence[Any]]]:
        return {
            table: [self._shapes[table].encode(values) for values in by_key.values()]
            for table, by_key in rows.items()
        }
