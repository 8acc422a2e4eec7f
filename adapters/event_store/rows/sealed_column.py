"""A column with the sealed members of rows, and the text in it (C-73, D-325)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, get_origin

import msgspec
from attrs import field, frozen

from ....application.ports.sealer import SealKey
from ....application.records.read_model import Row
from ....domain.event import ERASED, is_erased, placeholder
from ...vault import Vault

# Members that later writes leave alone, and members that they may change.
SEALED, SEALED_CHANGING = "sealed", "sealed_changing"
# A text begins with a number in hexadecimal, whose bits say which of the fields have a value. An erasure
# leaves this number, so that a field without a value still reads as one.
MARK = 4
MOST_FIELDS = 4 * MARK
# The field of a row always has a value.
_NEVER = object()

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class Members(NamedTuple):
    """The personal members of a row that one column seals; `mark` says which fields have a value."""

    mark: int
    values: Mapping[str, Any]

    def erased(self) -> Members:
        """Return the members of a row whose owner's key is gone."""
        return Members(self.mark, {})


@frozen
class SealedColumn:
    """
    One column with sealed members: some `fields`, and some members of the entries `within` others.

    `hints` are the types of the fields. `owners` are the fields that name the owner.
    """

    table: str
    name: str
    fields: tuple[str, ...]
    within: tuple[tuple[str, tuple[str, ...]], ...]
    hints: Mapping[str, Any]
    owners: tuple[str, ...]
    _marked: Callable[[Any], Any] = field(init=False)

    @_marked.default
    def _(self) -> Callable[[Any], Any]:
        return attrgetter(*self.owners, *self.fields, *(name for name, _ in self.within))

    def members(self, row: Row) -> Members:
        """Return what the column seals of a row; what was erased before is not sealed again."""
        mark, bit = 0, 1
        values: dict[str, Any] = {}
        for name in self.fields:
            value = getattr(row, name)
            if value is not None and value != {}:
                mark |= bit
                if not is_erased(value):
                    values[name] = value
            bit <<= 1
        for name, inner in self.within:
            taken = [_taken(entry, inner) for entry in getattr(row, name)]
            if any(taken):
                values[name] = taken
        return Members(mark, values)

    def is_same(self, before: Any, row: Any) -> bool:
        """Return whether two rows have the same owner, and the same in the fields of which it seals some."""
        marked: bool = self._marked(before) == self._marked(row)
        return marked

    def sealed(self, members: Members, vault: Vault, owner: str, key: str) -> str:
        """Return the text of the column; `key` is the row's."""
        mark = f"{members.mark:0{MARK}x}"
        if not members.values:
            return mark
        return mark + vault.seal(owner, self._named(key, mark), _encode(members.values))

    def opened(self, text: str, vault: Vault, key: SealKey, row_key: str) -> Mapping[str, Any]:
        """Return the sealed members; raises `SealBrokenError` for a text of another row or column."""
        opened: Mapping[str, Any] = _decode(
            vault.open(key, self._named(row_key, text[:MARK]), text[MARK:])
        )
        return opened

    def put_back(
        self, row: dict[str, Any], text: str | None, members: Mapping[str, Any], missing: str
    ) -> None:
        """Add the members to the other values of a row; `missing` stands for those that are not there."""
        mark, bit = int((text or "")[:MARK] or "0", 16), 1
        for name in self.fields:
            row[name] = _absent(self.hints[name])
            if mark & bit or row[name] is _NEVER:
                row[name] = (
                    members[name] if name in members else placeholder(self.hints[name], missing)
                )
            bit <<= 1
        for name, inner in self.within:
            # Once the text is opened, a member that is nowhere never was there.
            absent = {} if members else dict.fromkeys(inner, missing)
            taken = members.get(name) or [{}] * len(row[name])
            row[name] = tuple(
                [{**absent, **entry, **more} for entry, more in zip(row[name], taken, strict=True)]
            )

    def _named(self, key: str, mark: str) -> str:
        # A text opens in its own row, column and mark alone.
        return f"{self.table}.{self.name}.{mark}:{key}"


def has_members(text: str | None) -> bool:
    """Return whether a column's text has sealed members, and not only their mark."""
    return text is not None and len(text) > MARK


def without(entries: Sequence[Mapping[str, Any]], inner: Sequence[str]) -> list[dict[str, Any]]:
    """Return entries without their personal members, of which None and erased ones are not sealed."""
    return [
        {name: value for name, value in entry.items() if name not in inner or not _is_sealed(value)}
        for entry in entries
    ]


def _taken(entry: Mapping[str, Any], inner: Sequence[str]) -> dict[str, Any]:
    return {name: entry[name] for name in inner if _is_sealed(entry.get(name))}


def _is_sealed(value: Any) -> bool:
    return value is not None and value != ERASED


def _absent(hint: Any) -> Any:
    """Return the value of a field that has none: None, or an empty mapping; `_NEVER` if it always has one."""
    if type(None) in getattr(hint, "__args__", ()):
        return None
    return {} if get_origin(hint) is Mapping else _NEVER
