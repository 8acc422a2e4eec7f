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

from ....application.records.read_model import ReadModel, Row
from .column_types import INTEGER, TEXT
from .indexes import index_of
from .personal_columns import PersonalColumns, personal_columns
from .row_shape import RowShape, words_in
from .sealed_column import SEALED_CHANGING

R = TypeVar("R", bound=Row)

_STORED_UNCHANGED = (str, int, bool, datetime)


@frozen
class RowTable(Generic[R]):
    """
    One read model's table.

    The row's first field is the key. `values` returns the fields of a row that have a column of their
    own, in order; sealed columns follow them. `decode` returns such fields by name from their stored
    form, and leaves out HMACs. A table without personal fields has no `personal` columns.
    """

    model: ReadModel[R]
    shape: RowShape
    table: Table
    values: Callable[[R], Sequence[Any]]
    decode: Callable[[Sequence[Any]], dict[str, Any]]
    personal: PersonalColumns | None

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
        return str(getattr(row, self.key))


def row_table(metadata: MetaData, model: ReadModel[R]) -> RowTable[R]:
    """Build the table of a read model: a column per open field, an index per way of finding rows."""
    hints = typing.get_type_hints(model.row)
    personal = personal_columns(model, hints)
    columnless = frozenset[str]() if personal is None else personal.columnless
    names = [each.name for each in fields(model.row) if each.name not in columnless]
    findable = frozenset(() if personal is None else personal.findable)
    sealed = [] if personal is None else [each.name for each in personal.sealed]
    columns = [
        Column(
            each,
            _column_type(hints[each]),
            primary_key=index == 0,
            # An erasure removes HMACs.
            nullable=each in findable or type(None) in typing.get_args(hints[each]),
        )
        for index, each in enumerate(names)
    ]
    columns += [Column(each, TEXT) for each in sealed]
    ways = [*model.found_by]
    if personal is not None and personal.person_index is not None:
        ways.append(personal.person_index)
    table = Table(model.name, metadata, *columns, *map(index_of, ways))
    # A list by which rows are found is stored as words between commas, which an index can test.
    listed = {way.lists[0] for way in model.found_by if way.lists is not None}
    decoders = [
        (each, words_in if each in listed else _decoder(hints[each]))
        for each in names
        if each not in findable
    ]
    places = [place for place, each in enumerate(names) if each not in findable]

    def decode(values: Sequence[Any]) -> dict[str, Any]:
        return {
            each: None if (value := values[place]) is None else decoder(value)
            for (each, decoder), place in zip(decoders, places, strict=True)
        }

    shape = _shape(model, {each: _bare(hints[each]) for each in names}, listed, sealed)
    return RowTable(model, shape, table, operator.attrgetter(*names), decode, personal)


def _shape(
    model: ReadModel[Any], bare: Mapping[str, Any], listed: Collection[str], sealed: Sequence[str]
) -> RowShape:
    return RowShape(
        model.name,
        (*bare, *sealed),
        frozenset((*bare, *sealed)).difference(model.changing, (SEALED_CHANGING,)),
        frozenset(sealed).intersection((SEALED_CHANGING,)),
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
