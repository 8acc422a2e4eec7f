"""Test destinations for embedders (C-79)."""

from __future__ import annotations

from datetime import datetime

from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ...application.test_destinations.views import TestDestinationView
from ..wire.structuring import structure
from ..wire.typed_requests import NewTestDestination
from .leasing import Facade
from .references import Reference, account_filter, acting_for, documented, embedder, id_of


class TestDestinations(Facade):
    """Destinations with a fixed code, for reviewers and automated tests beside live traffic."""

    async def set(
        self, account: Reference, *, destination: str, code: str, until: datetime
    ) -> TestDestinationView:
        """
        Set a fixed code for a destination until a time, at most 90 days ahead; set again, it is revised.

        Nothing is sent to it until then. Raises `AccountNotFoundError`, `ValidationFailedError` and
        `DestinationInUseError`.
        """
        owner = await acting_for(self._parts, account)
        given = documented(destination=destination, code=code, until=until)
        body = structure(given, NewTestDestination)
        done = await self._parts.test_destinations.put(
            owner,
            destination=body.destination,
            code=body.code,
            until=body.until,
        )
        return done.view

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[TestDestinationView]:
        """List test destinations, the newest first, each without its code."""
        account_id = await account_filter(self._parts, account)
        return await self._parts.test_destinations.list(account_id, Paging.clamped(page, page_size))

    async def remove(self, test_destination: Reference) -> TestDestinationView:
        """Remove a test destination and its code; raise `TestDestinationNotFoundError`."""
        by = embedder(self._parts, "")
        return await self._parts.test_destinations.remove(by, id_of(test_destination))
