"""The port for lists and searches over the read models."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from attrs import frozen

if TYPE_CHECKING:
    from ..records.read_model import Row

R = TypeVar("R", bound="Row")


@frozen
class Equals:
    """The column equals this value."""

    column: str
    value: Any


@frozen
class Contains:
    """The column contains this text, in any case; the text is taken literally."""

    column: str
    text: str


@frozen
class Lists:
    """The column, a list of words, contains this word. Only words in a `FoundBy` are found fast."""

    column: str
    name: str


@frozen
class AtLeast:
    """The column is at least this value."""

    column: str
    value: Any


@frozen
class Below:
    """The column is less than this value."""

    column: str
    value: Any


@frozen
class Missing:
    """The column is empty."""

    column: str


@frozen
class Present:
    """The column is not empty."""

    column: str


@frozen
class Either:
    """One of several combinations holds; each is a tuple of filters that hold together."""

    options: tuple[tuple[Filter, ...], ...]


Filter = Equals | Contains | Lists | AtLeast | Below | Missing | Present | Either


def of_account(account_id: str | None) -> tuple[Filter, ...]:
    """Return the filter for one account; without an account, no filter."""
    return () if account_id is None else (Equals("account_id", account_id),)


@frozen(kw_only=True)
class Query(Generic[R]):
    """
    A page of a list. `page` counts from 1; rows with equal values are sorted by key (C-17).

    Counting stops at `counted_to`, because counting a long list takes seconds (D-79).
    """

    rows: type[R]
    where: tuple[Filter, ...] = ()
    order_by: str = "created_at"
    descending: bool = True
    page: int = 1
    page_size: int = 25
    counted_to: int | None = None


@frozen
class Page(Generic[R]):
    """The rows of one page, and the number of rows on all pages, at most `counted_to`."""

    rows: Sequence[R]
    total: int


@frozen
class Start:
    """
    The beginning of a time, as text in UTC: with 10 characters a day, with 13 an hour.

    With none, all times are one.
    """

    column: str
    length: int


@frozen(kw_only=True)
class Sum(Generic[R]):
    """
    Sums of the numbers `add`, for each combination of what the rows have in `by`.

    Only equal values and ranges filter rows. `by` has at most four columns, and none of numbers.
    """

    rows: type[R]
    where: tuple[Equals | AtLeast | Below, ...] = ()
    by: tuple[str | Start, ...]
    add: tuple[str, ...]


@frozen
class Total:
    """One combination, in stored form, and its sums."""

    of: tuple[str | None, ...]
    sums: tuple[int, ...]


@frozen
class Totals:
    """The answers to some `Sum`s, and the number under a checkpoint's name, all of one moment."""

    position: int
    totals: Sequence[Sequence[Total]]


class TooManyTotals(Exception):
    """The answers have more combinations than the caller allows."""


class Listings(Protocol):
    """Reads the rows of read models; an append's rows are there when it has returned."""

    async def page(self, query: Query[R]) -> Page[R]:
        """Return one page of a list."""
        ...

    async def slice(self, query: Query[R]) -> Sequence[R]:
        """Return the rows of one page, for a list that is too long to be counted (D-40)."""
        ...

    async def row(self, rows: type[R], key: str) -> R | None:
        """Return one row by its key."""
        ...

    async def rows(self, rows: type[R], keys: Collection[str]) -> Mapping[str, R]:
        """Return the rows of these keys, by key, all of one moment."""
        ...

    async def totals(self, position: str, sums: Sequence[Sum[Any]], most: int) -> Totals:
        """
        Return sums over rows, with the number that a checkpoint of this name moves.

        Raises `TooManyTotals` if there are more than `most` combinations.
        """
        ...
