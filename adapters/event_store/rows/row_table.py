"""The table of a read model, with the conversion between rows and columns."""

from __future__ import annotations

import operator
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec
from attrs import fields, frozen
from sqlalchemy import Boolean, Column, MetaData, Table

from ....application.ports.snapshot import KeptRow
from ....application.records.read_model import ReadModel, Row
from .column_types import INTEGER, TEXT
from .indexes import index_of
from .row_shape import RowShape, words_in

R = TypeVar("R", bound=Row)

_STORED_UNCHANGED = (str, int, bool, datetime)


@frozen
class RowTable(Generic[R]):
    """
    One read model's table.

    The row's first field is the key. `values` returns a row's values in the order of the columns, and
    `decode` builds a row from the stored values.
    """

    model: ReadModel[R]
    shape: RowShape
    table: Table
    values: Callable[[R], Sequence[Any]]
    decode: Callable[[Sequence[Any]], R]

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.shape.name

    @property
    def key(self) -> str:
        """The name of the key column."""
        return self.shape.columns[0]

    def key_of(self, row: R) -> str:
        """Return a row's key."""
        return str(self.values(row)[0])

    def kept(self, values: Sequence[Any]) -> KeptRow[R]:
        """Return a stored row for an audit, without its content if it is unreadable."""
        try:
            return KeptRow(str(values[0]), self.decode(values))
        except (ValueError, TypeError, OverflowError, RecursionError, msgspec.DecodeError):
            return KeptRow(str(values[0]), None)


def row_table(metadata: MetaData, model: ReadModel[R]) -> RowTable[R]:
    """Build the table of a read model: a column per field, an index per way of finding rows."""
    hints = typing.get_type_hints(model.row)
    names = [each.name for each in fields(model.row)]
    columns = [
        Column(
            each,
            _column_type(hints[each]),
            primary_key=index == 0,
            nullable=type(None) in typing.get_args(hints[each]),
        )
        for index, each in enumerate(names)
    ]
    table = Table(model.name, metadata, *columns, *map(index_of, model.found_by))
    # A list by which rows are found is stored as words between commas, which an index can test.
    listed = {way.lists[0] for way in model.found_by if way.lists is not None}
    decoders = [(each, words_in if each in listed else _decoder(hints[each])) for each in names]

    def decode(values: Sequence[Any]) -> R:
        values_by_name: dict[str, Any] = {
            each: value if value is None else decoder(value)
            for (each, decoder), value in zip(decoders, values, strict=True)
        }
        return model.row(**values_by_name)

    shape = _shape(model, {each: _bare(hints[each]) for each in names}, listed)
    return RowTable(model, shape, table, operator.attrgetter(*names), decode)


def _shape(model: ReadModel[Any], bare: Mapping[str, Any], listed: Collection[str]) -> RowShape:
    return RowShape(
        model.name,
        tuple(bare),
        frozenset(bare) - frozenset(model.changing),
        times=tuple(place for place, kind in enumerate(bare.values()) if kind is datetime),
        words=tuple(place for place, name in enumerate(bare) if name in listed),
        texts=tuple(
            place
            for place, (name, kind) in enumerate(bare.items())
            if kind not in _STORED_UNCHANGED and name not in listed
        ),
    )


def _bare(hint: Any) -> Any:
    """Return the type in `X | None`, or the hint itself, without its parameters."""
    options = [each for each in typing.get_args(hint) if each is not type(None)]
    if type(None) in typing.get_args(hint):
        hint = options[0]
    return typing.get_origin(hint) or hint


def _column_type(hint: Any) -> Any:
    return {bool: Boolean, int: INTEGER}.get(_bare(hint), TEXT)


def _decoder(hint: Any) -> Callable[[Any], Any]:
    bare = _bare(hint)
    if bare is datetime:
        return datetime.fromisoformat
    if bare in (str, int, bool):
        return bare  # type: ignore[no-any-return]  # one of three classes, which mypy cannot see
    return msgspec.json.Decoder(hint).decode
