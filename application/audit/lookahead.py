"""Read a sorted source key by key, in step with a pass through the log."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Generic, TypeVar

from attrs import define

T = TypeVar("T")


@define
class Lookahead(Generic[T]):
    """A source that is sorted by key, and its next item."""

    _source: AsyncIterator[T]
    _key: Callable[[T], str]
    _next: T | None = None

    async def before(self, key: str | None) -> AsyncIterator[T]:
        """Yield the items before a key; without a key, all remaining ones."""
        while (item := await self._peek()) is not None and (key is None or self._key(item) < key):
            self._next = None
            yield item

    async def under(self, key: str) -> list[T]:
        """Return the items with a key; the caller has read all items before it."""
        found = []
        while (item := await self._peek()) is not None and self._key(item) == key:
            self._next = None
            found.append(item)
        return found

    async def _peek(self) -> T | None:
        if self._next is None:
            self._next = await anext(self._source, None)
        return self._next
