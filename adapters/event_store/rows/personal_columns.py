"""The personal fields of a read model, as far as its table is concerned (C-73, D-325)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
from attrs import frozen

from ....application.records.read_model import (
    ACCOUNT_ID,
    PERSON_ID,
    FoundBy,
    ReadModel,
    findable_fields,
    personal_members,
)
from ....domain.event import personal_fields
from .sealed_column import MOST_FIELDS, SEALED, SEALED_CHANGING, SealedColumn


@frozen
class PersonalColumns:
    """
    The columns of a table that depend on personal fields.

    `fields` are the fields of which all or some is sealed. A column of `sealed` has the members of
    several fields. The fields of `columnless` have no column of their own; those of `findable` have one
    with an HMAC, and those of `within` one without the personal members of its entries. Each comes with
    its place among the columns. `owners` are the places of the person, if rows have one, and of the
    account. `person_index` finds the rows of a person, if no other index does.
    """

    fields: frozenset[str]
    sealed: tuple[SealedColumn, ...]
    columnless: frozenset[str]
    findable: Mapping[str, int]
    within: tuple[tuple[int, tuple[str, ...]], ...]
    owners: tuple[int, ...]
    person_index: FoundBy | None

    def owner(self, values: Sequence[Any]) -> str:
        """Return the owner of the key that seals a row: its person, or else its account."""
        return next((str(values[place]) for place in self.owners if values[place] is not None), "")


def personal_columns(model: ReadModel[Any], hints: Mapping[str, Any]) -> PersonalColumns | None:
    """
    Return what follows from the personal fields of a read model; None if it has none.

    Raises `TypeError` for a read model that could not be sealed, or searched once it is sealed.
    """
    personal, within = tuple(personal_fields(model.row)), tuple(personal_members(model.row))
    if not personal and not within:
        return None
    findable = findable_fields(model.row)
    columnless = frozenset(personal) - frozenset(findable)
    names = [each.name for each in attrs.fields(model.row)]
    _check(model, names, personal, columnless, findable)
    owners = tuple(each for each in (PERSON_ID, ACCOUNT_ID) if each in names)
    places = {
        each: place for place, each in enumerate(each for each in names if each not in columnless)
    }
    return PersonalColumns(
        frozenset((*personal, *dict(within))),
        tuple(_sealed_columns(model, hints, personal, within, owners)),
        columnless,
        {each: places[each] for each in findable},
        tuple((places[name], inner) for name, inner in within),
        tuple(places[each] for each in owners),
        _person_index(model) if PERSON_ID in names else None,
    )


def _sealed_columns(
    model: ReadModel[Any],
    hints: Mapping[str, Any],
    personal: Sequence[str],
    within: Sequence[tuple[str, tuple[str, ...]]],
    owners: tuple[str, ...],
) -> Iterator[SealedColumn]:
    for column, changes in ((SEALED, False), (SEALED_CHANGING, True)):
        fields = tuple(each for each in personal if (each in model.changing) is changes)
        lists = tuple((each, of) for each, of in within if (each in model.changing) is changes)
        if fields or lists:
            yield SealedColumn(
                model.name, column, fields, lists, {each: hints[each] for each in fields}, owners
            )


def _check(
    model: ReadModel[Any],
    names: list[str],
    personal: tuple[str, ...],
    columnless: frozenset[str],
    findable: tuple[str, ...],
) -> None:
    if ACCOUNT_ID not in names:
        raise TypeError(f"Rows of {model.name} name no account, whose key could seal them.")
    if {SEALED, SEALED_CHANGING}.intersection(names) or len(personal) > MOST_FIELDS:
        raise TypeError(f"The fields of {model.name} leave no room for sealed columns.")
    if set(findable).intersection(model.changing):
        raise TypeError(f"A field by which searches find rows of {model.name} may not change.")
    if {PERSON_ID, ACCOUNT_ID}.intersection(model.changing) and not set(personal) <= set(
        model.changing
    ):
        raise TypeError(f"Rows of {model.name} may change their owner, and not what it owns.")
    for way in model.found_by:
        if columnless.intersection((*way.fields, way.present)) or (
            way.lists is not None and way.lists[0] in personal
        ):
            raise TypeError(f"{way.name} finds rows by a field that is sealed.")


def _person_index(model: ReadModel[Any]) -> FoundBy | None:
    for way in model.found_by:
        if way.fields[0] == PERSON_ID and way.lists is None and way.present in (None, PERSON_ID):
            return None
    return FoundBy(f"{model.name}_of_person", (PERSON_ID,), present=PERSON_ID)
