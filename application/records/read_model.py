"""A read model: rows of one type, which lists and searches show."""

from __future__ import annotations

from typing import Generic, TypeVar

from attrs import frozen

from ...domain.value import value


@value
class Row:
    """The base of the rows; the first field of each is its key."""


R = TypeVar("R", bound=Row)


@frozen(kw_only=True)
class ReadModel(Generic[R]):
    """
    The rows of one list, and how the stores keep them.

    `name` is stored. `changing` are the fields that may change after the first write; a store
    writes no others again.
    """

    row: type[R]
    name: str
    changing: tuple[str, ...] = ()
