"""
Packs the rows of an append, with their personal members sealed (C-73, D-326).

A row of a stream that the append goes on with is in its table already, with all that never changes. So
nothing of that is sealed again, and what may change is sealed only if it did: a verify seals nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ....application.ports.event_store import Append, Change, Loaded
from ....application.records import row_of
from ....application.records.read_model import Row
from ...vault import Vault
from .read_model_tables import ROW_TABLES
from .row_table import RowTable
from .sealed_column import SEALED, Members, SealedColumn, without
from .searchable import hashed_value

# Returns the state of a stream that is remembered, at the version that it had.
Recall = Callable[[str], Loaded[Any] | None]
# Returns the row of a key as a version of its stream wrote it, if it is remembered.
Written = Callable[[str, int], Row | None]


class PlannedRow(NamedTuple):
    """
    The values of a row's open fields, and the members to seal for each sealed column of its table.

    None in the place of members leaves a column alone.
    """

    values: Sequence[Any]
    table: RowTable[Any]
    members: Sequence[Members | None]
    owner: str | None
    is_new: bool


def rows_written(recall: Recall) -> Written:
    """Return the rows of remembered states."""

    def written(key: str, version: int) -> Row | None:
        before = recall(key)
        return None if before is None or before.version != version else row_of(key, before.state)

    return written


def planned_rows(append: Append, written: Written) -> list[PlannedRow]:
    """
    Return the rows of an append with what must be sealed of them.

    What a row of `written` has is not sealed again: the store refuses an append on another version.
    """
    if not append.rows:
        return []
    continued = _continued(append.changes)
    return [_planned(row, continued, written, append.erased) for row in append.rows]


def planned_parts(append: Append, written: Written, many: int) -> Iterator[list[PlannedRow]]:
    """Yield the rows of `planned_rows`, `many` at a time."""
    continued = _continued(append.changes)
    for first in range(0, len(append.rows), many):
        some = append.rows[first : first + many]
        yield [_planned(row, continued, written, append.erased) for row in some]


def planned_whole(rows: Iterable[Row], erased: frozenset[str]) -> list[PlannedRow]:
    """Return the rows of a repair, with all that must be sealed of them."""
    return [_planned(row, {}, _nothing_written, erased) for row in rows]


def owners_of(planned: Iterable[PlannedRow]) -> set[str]:
    """Return the owners whose keys must be remembered before the rows are packed."""
    return {each.owner for each in planned if each.owner is not None}


def packed_rows(planned: Iterable[PlannedRow], vault: Vault) -> list[tuple[str, Sequence[Any]]]:
    """Return pairs of table name and values; raises `KeyError` if the key of an owner is not remembered."""
    return [_packed(each, vault) for each in planned]


def _nothing_written(_key: str, _version: int) -> None:
    """Return no row: all of the new one is sealed."""


def _continued(changes: Collection[Change]) -> Mapping[str, int]:
    """Return the expected version of each stream that has events already."""
    continued = {each.stream: each.expected_version for each in changes if each.expected_version}
    if len(continued) < len(changes):
        for each in changes:
            if not each.expected_version:
                continued.pop(each.stream, None)
    return continued


def _planned(
    row: Row, continued: Mapping[str, int], written: Written, erased: frozenset[str]
) -> PlannedRow:
    table = ROW_TABLES[type(row)]
    personal, values = table.personal, table.values(row)
    if personal is None:
        return PlannedRow(values, table, (), None, is_new=True)
    key = str(values[0])
    version = continued.get(key)
    members = [
        each.members(row) if version is None else _changed(each, row, key, version, written)
        for each in personal.sealed
    ]
    owner = None
    for each in members:
        if each is not None and each.values:
            owner = personal.owner(values)
            break
    if owner in erased:
        members, owner = [each and each.erased() for each in members], None
    return PlannedRow(values, table, members, owner, is_new=version is None)


def _changed(
    column: SealedColumn, row: Row, key: str, version: int, written: Written
) -> Members | None:
    """Return the members to seal for a row that has been written; None if the column has them already."""
    if column.name == SEALED:
        return None
    before = written(key, version)
    same = type(before) is type(row) and column.is_same(before, row)
    return None if same else column.members(row)


def _packed(planned: PlannedRow, vault: Vault) -> tuple[str, Sequence[Any]]:
    values, table, members, owner, is_new = planned
    personal = table.personal
    if personal is None:
        return table.name, values
    values = list(values)
    key, account = str(values[0]), values[personal.owners[-1]]
    for name, place in personal.findable.items():
        # The HMAC of a row that is in its table already stays there.
        values[place] = (
            hashed_value(table, name, account, values[place], vault) if is_new and owner else None
        )
    for place, inner in personal.within:
        values[place] = without(values[place], inner)
    for column, sealed in zip(personal.sealed, members, strict=True):
        values.append(None if sealed is None else column.sealed(sealed, vault, owner or "", key))
    return table.name, values
