"""Pages of lists, for every list of the service (SPEC 2.8, C-17)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from attrs import frozen

from ..domain.errors import FieldProblem, ValidationFailedError

R = TypeVar("R")
T = TypeVar("T")

DEFAULT_PAGE_SIZE = 25
MAX_PAGE_SIZE = 100


@frozen(kw_only=True)
class Paging:
    """The number of a page, from 1, and its size. Sizes above 100 become 100; values below 1 the default."""

    page: int = 1
    page_size: int = DEFAULT_PAGE_SIZE

    @classmethod
    def clamped(cls, page: int, page_size: int) -> Paging:
        """Return a paging for a caller's values; raises `ValidationFailedError` for non-numbers."""
        given: Mapping[str, object] = {"page": page, "page_size": page_size}
        problems = [
            FieldProblem(name, "must be a whole number")
            for name, value in given.items()
            if not isinstance(value, int)
        ]
        if problems:
            raise ValidationFailedError(problems)
        return cls(
            page=page if page >= 1 else 1,
            page_size=min(page_size, MAX_PAGE_SIZE) if page_size >= 1 else DEFAULT_PAGE_SIZE,
        )


@frozen(kw_only=True)
class Listed(Generic[R]):
    """One page, with its number and the size of the list."""

    page: int
    page_size: int
    total: int
    data: Sequence[R]

    def showing(self, record: Callable[[R], T]) -> Listed[T]:
        """Return the same page with each entry converted by `record`."""
        return Listed(
            page=self.page,
            page_size=self.page_size,
            total=self.total,
            data=[record(each) for each in self.data],
        )

    @property
    def total_pages(self) -> int:
        """The number of pages; 0 for an empty list."""
        return -(-self.total // self.page_size)


def nothing_listed(paging: Paging) -> Listed[R]:
    """Return a page of an empty list."""
    return Listed(page=paging.page, page_size=paging.page_size, total=0, data=())
