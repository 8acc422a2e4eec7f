"""What is kept in the order of its keys, met key by key beside a walk through the log."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Generic, TypeVar

from attrs import define

T = TypeVar("T")


@define
class Ahead(Generic[T]):
    """A source, and the next thing in it."""

    _source: AsyncIterator[T]
    _key: Callable[[T], str]
    _next: T | None = None

    async def before(self, key: str | None) -> AsyncIterator[T]:
        """Return what stands before a key, or all that is left."""
        while (item := await self._peek()) is not None and (key is None or self._key(item) < key):
            self._next = None
            yield item

    async def under(self, key: str) -> list[T]:
        """Return what stands under a key, when all before it has been met."""
        found = []
        while (item := await self._peek()) is not None and self._key(item) == key:
            self._next = None
            found.append(item)
        return found

    async def _peek(self) -> T | None:
        if self._next is None:
            self._next = await anext(self._source, None)
        return self._next
