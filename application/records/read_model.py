"""A read model: rows of one type, for lists and searches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import attrs
from attrs import frozen

from ...domain.event import PERSONAL, personal
from ...domain.value import value

# The fields that name whose a row is.
PERSON_ID, ACCOUNT_ID = "person_id", "account_id"
_FINDABLE, _WITHIN = "watchword.findable", "watchword.personal_within"
# The marks of `findable()`, for a row that is made with positions.
FINDABLE = {**PERSONAL, _FINDABLE: True}


@value
class Row:
    """The base of the rows; the first field of each is its key."""


R = TypeVar("R", bound=Row)


def findable(**options: Any) -> Any:
    """Declare a personal text by which searches of one account find the row, exactly as it is (C-73)."""
    return personal(metadata=FINDABLE, **options)


def personal_within(*members: str) -> dict[str, Any]:
    """Return the mark of a list of mappings of which only these members, which are texts, are personal."""
    return {_WITHIN: members}


def findable_fields(row: type[Row]) -> tuple[str, ...]:
    """Return the names of the personal fields by which searches find rows."""
    return tuple(each.name for each in attrs.fields(row) if _FINDABLE in each.metadata)


def has_person(row: type[Row]) -> bool:
    """Return whether the rows of a read model are about people."""
    return PERSON_ID in attrs.fields_dict(row)


def personal_members(row: type[Row]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each field whose entries have personal members, with the names of these members."""
    return (
        (each.name, each.metadata[_WITHIN])
        for each in attrs.fields(row)
        if _WITHIN in each.metadata
    )


@frozen
class FoundBy:
    """
    One way to find the rows of a list: the fields with given values, then the field that sorts the list.

    Fields after that one are only read. `name` is stored. With `present`, it finds only rows with a
    value in that field; with `lists`, only rows whose field contains a word.
    """

    name: str
    fields: tuple[str, ...]
    present: str | None = None
    lists: tuple[str, str] | None = None


@frozen(kw_only=True)
class ReadModel(Generic[R]):
    """
    The rows of one list, and how the stores keep them.

    `name` is stored. `found_by` are the ways to find rows, the one with the fewest rows first: a store
    uses the first that fits a list (D-169). `changing` are the fields that may change after the first
    write; a store never writes the others again.

    Personal fields are stored sealed, under the key of the row's `person_id` if it has one, else of its
    `account_id`. No way of finding rows may use one that is not `findable()`.
    """

    row: type[R]
    name: str
    found_by: tuple[FoundBy, ...] = ()
    changing: tuple[str, ...] = ()
