"""A store that only takes down which lists it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import define, field

from watchword.application.ports.event_store import PersonRecord
from watchword.application.ports.listings import Page, Query
from watchword.application.ports.sealer import SealKey


@define
class AskedLists:
    """Every list is empty."""

    queries: list[Query[Any]] = field(factory=list)

    async def page(self, query: Query[Any]) -> Page[Any]:
        """Take a list down that is to be counted."""
        self.queries.append(query)
        return Page((), 0)

    async def people(self, hmacs: Collection[str]) -> Mapping[str, PersonRecord]:
        """Know everybody."""
        return {
            each: PersonRecord("per_1", "acc_1", each, SealKey("per_1", 1, b"")) for each in hmacs
        }

    async def slice(self, query: Query[Any]) -> Sequence[Any]:
        """Take a list down."""
        self.queries.append(query)
        return ()
