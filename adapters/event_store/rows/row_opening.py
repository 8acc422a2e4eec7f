"""Builds rows from their stored form, and opens their sealed members (C-73, D-325)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from ....application.ports.sealer import SealBrokenError, SealKey, is_person
from ....application.ports.snapshot import KeptRow
from ....application.records.read_model import Row
from ....domain.event import ERASED, is_erased
from ...vault import KeyLostError, Vault
from .personal_columns import PersonalColumns
from .row_table import RowTable
from .sealed_column import has_members
from .searchable import hashed_value

R = TypeVar("R", bound=Row)

Keys = Mapping[str, SealKey]
Stored = Sequence[Any]
_UNREADABLE = (
    ValueError,
    TypeError,
    LookupError,
    OverflowError,
    RecursionError,
    msgspec.DecodeError,
    SealBrokenError,
)


class RowOpening:
    """Opens rows with `vault`; `keys_of` reads the current keys of owners in the store."""

    def __init__(self, vault: Vault, keys_of: Callable[[set[str]], Keys]) -> None:
        self._vault = vault
        self._keys_of = keys_of

    def rows(self, table: RowTable[R], stored: Sequence[Stored]) -> list[R]:
        """Return rows; all keys are read in one query, so that an erasure holds at once."""
        keys = self._keys(table, stored, also_without_members=False)
        return [self._row(table, each, keys) for each in stored]

    def kept(self, table: RowTable[R], stored: Sequence[Stored]) -> list[KeptRow[R]]:
        """Return rows for an audit, without the content of those that are unreadable."""
        keys = self._keys(table, stored, also_without_members=True)
        return [self._kept(table, each, keys) for each in stored]

    def _keys(
        self, table: RowTable[Any], stored: Iterable[Stored], *, also_without_members: bool
    ) -> Keys:
        personal = table.personal
        if personal is None:
            return {}
        width = len(personal.sealed)
        owners = {
            personal.owner(each)
            for each in stored
            if also_without_members or any(map(has_members, each[-width:]))
        }
        return self._keys_of(owners) if owners else {}

    def _row(self, table: RowTable[R], values: Stored, keys: Keys) -> R:
        row, personal = table.decode(values), table.personal
        if personal is not None:
            sealed = values[len(values) - len(personal.sealed) :]
            for column, text in zip(personal.sealed, sealed, strict=True):
                members: Mapping[str, Any] = {}
                missing: str | None = ERASED
                if text is not None and has_members(text):
                    key = keys.get(personal.owner(values))
                    missing = self._vault.hidden(key)
                    if missing is None and key is not None:
                        # What a lost code key sealed for an account reads as if it were erased (D-314).
                        with suppress(KeyLostError):
                            members = column.opened(text, self._vault, key, str(values[0]))
                column.put_back(row, text, members, missing or ERASED)
        return table.model.row(**row)

    def _kept(self, table: RowTable[R], values: Stored, keys: Keys) -> KeptRow[R]:
        personal = table.personal
        try:
            row = self._row(table, values, keys)
            if personal is None:
                return KeptRow(str(values[0]), row)
            owner = personal.owner(values)
            if self._vault.hidden(keys.get(owner)) is not None:
                gone = is_person(owner) and owner not in keys
                left = owner if gone and _has_something(personal, values) else None
                return KeptRow(str(values[0]), row, is_open=False, left=left)
            found = self._is_found(table, row, values)
        except _UNREADABLE:
            return KeptRow(str(values[0]), None)
        return KeptRow(str(values[0]), row if found else None)

    def _is_found(self, table: RowTable[R], row: R, values: Stored) -> bool:
        """Return whether searches find a row by its own texts, as far as they are there."""
        personal = table.personal
        # An audit says of a store without an index secret that nothing is found in it.
        if personal is None or self._vault.index_key is None:
            return True
        account = values[personal.owners[-1]]
        return all(
            is_erased(value := getattr(row, name))
            or values[place] == hashed_value(table, name, account, value, self._vault)
            for name, place in personal.findable.items()
        )


def _has_something(personal: PersonalColumns, values: Stored) -> bool:
    """Return whether a row has a sealed text, or an HMAC of a personal one."""
    return any(map(has_members, values[-len(personal.sealed) :])) or any(
        values[each] is not None for each in personal.findable.values()
    )
