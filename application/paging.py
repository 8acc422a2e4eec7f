"""Pages of lists, as every list of the service gives them (SPEC 2.8, C-17)."""

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
    """Which page of a list, from 1; sizes above 100 are clamped, what is below 1 is the default."""

    page: int = 1
    page_size: int = DEFAULT_PAGE_SIZE

    @classmethod
    def clamped(cls, page: int, page_size: int) -> Paging:
        """Make a paging out of what a caller wrote; raises `ValidationFailedError` for no number."""
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
    """One page, and where it stands."""

    page: int
    page_size: int
    total: int
    data: Sequence[R]

    def showing(self, record: Callable[[R], T]) -> Listed[T]:
        """Return the same page of what stands for each entry."""
        return Listed(
            page=self.page,
            page_size=self.page_size,
            total=self.total,
            data=[record(each) for each in self.data],
        )

    @property
    def total_pages(self) -> int:
        """How many pages there are; 0 when there is nothing."""
        return -(-self.total // self.page_size)
