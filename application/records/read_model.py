"""A read model: rows of one type, for lists and searches."""

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
    """

    row: type[R]
    name: str
    found_by: tuple[FoundBy, ...] = ()
    changing: tuple[str, ...] = ()
