"""A store that only takes down which lists it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from watchword.application.ports.listings import Page, Query


@define
class AskedLists:
    """Every list is empty."""

    queries: list[Query[Any]] = field(factory=list)

    async def page(self, query: Query[Any]) -> Page[Any]:
        """Take a list down that is to be counted."""
        self.queries.append(query)
        return Page((), 0)

    async def slice(self, query: Query[Any]) -> Sequence[Any]:
        """Take a list down."""
        self.queries.append(query)
        return ()
