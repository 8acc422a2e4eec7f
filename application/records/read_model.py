"""A read model: rows of one type, which lists and searches show."""

from __future__ import annotations

from typing import Generic, TypeVar

from attrs import frozen

from ...domain.value import value


@value
class Row:
    """The base of the rows; the first field of each is its key."""


R = TypeVar("R", bound=Row)


@frozen
class FoundBy:
    """
    One way in which lists find their rows: the fields that are given, then the one that orders the list.

    Fields behind that one are only looked at. `name` is stored. A way finds only the rows that have
    something in the field `present`, or whose field `lists` contains a word, where either is given.
    """

    name: str
    fields: tuple[str, ...]
    present: str | None = None
    lists: tuple[str, str] | None = None


@frozen(kw_only=True)
class ReadModel(Generic[R]):
    """
    The rows of one list, and how the stores keep them.

    `name` is stored. `found_by` are the ways of finding rows, the one with the fewest rows first: a
    store goes along the first that a list allows (D-169). `changing` are the fields that may change
    after the first write; a store writes no others again.
    """

    row: type[R]
    name: str
    found_by: tuple[FoundBy, ...] = ()
    changing: tuple[str, ...] = ()
