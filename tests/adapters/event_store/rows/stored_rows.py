"""Rows in the form in which a table has them, and back, with the keys of a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from tests.contracts.event_store.histories import NOON
from tests.vaults import new_vault
from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.adapters.event_store.rows.row_opening import RowOpening
from watchword.adapters.event_store.rows.row_packing import (
    Written,
    owners_of,
    packed_rows,
    planned_rows,
)
from watchword.adapters.vault import Vault
from watchword.application.ports.event_store import Append, Change
from watchword.application.ports.sealer import SealKey
from watchword.application.ports.snapshot import KeptRow
from watchword.application.records.read_model import Row


def appending(*rows: Row, changes: Sequence[Change] = (), **extras: Any) -> Append:
    """Return an append with rows."""
    return Append(at=NOON, actor="", request_id="", rows=rows, changes=tuple(changes), **extras)


def no_row(_key: str, _version: int) -> Row | None:
    """Remember no row."""
    return None


@frozen
class Shelf:
    """The keys of a store by owner, and the vault of a process that writes and reads it."""

    vault: Vault
    keys: dict[str, SealKey]

    @classmethod
    def new(cls) -> Shelf:
        """Return a shelf without keys."""
        return cls(new_vault(), {})

    def written(self, append: Append, written: Written = no_row) -> list[list[Any]]:
        """Return the rows of an append in stored form; their owners get keys."""
        planned = planned_rows(append, written)
        for owner in owners_of(planned) - self.keys.keys():
            self.keys[owner] = self.vault.new_key(owner)
        self.vault.learn(self.keys.values())
        return [
            each.table.shape.encode(values)
            for each, (_, values) in zip(planned, packed_rows(planned, self.vault), strict=True)
        ]

    def stored(self, row: Row) -> list[Any]:
        """Return the stored form of a new row."""
        (values,) = self.written(appending(row))
        return values

    def read(self, kind: type[Row], values: Sequence[Any]) -> Row:
        """Return a row as a reader gets it."""
        (row,) = self._opening(self.keys).rows(ROW_TABLES[kind], [values])
        return row

    def audited(
        self, kind: type[Row], values: Sequence[Any], vault: Vault | None = None
    ) -> KeptRow[Any]:
        """Return a row as an audit gets it."""
        (kept,) = self._opening(self.keys, vault).kept(ROW_TABLES[kind], [values])
        return kept

    def _opening(self, keys: Mapping[str, SealKey], vault: Vault | None = None) -> RowOpening:
        return RowOpening(
            vault or self.vault, lambda owners: {each: keys[each] for each in owners & keys.keys()}
        )
