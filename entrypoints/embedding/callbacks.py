"""Callback endpoints and their deliveries for embedders."""

from __future__ import annotations

from collections.abc import Sequence

from ...application.callbacks.views import CallbackView, DeliveryView, SentTest, WholeDelivery
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ...domain.callback_endpoint import OPERATORS, meant_for_operators
from ..wire.structuring import structure
from ..wire.typed_requests import NewCallback
from .leasing import Facade
from .references import Reference, account_filter, acting_for, documented, embedder, id_of


class Callbacks(Facade):
    """
    Callback endpoints of accounts, and their deliveries.

    With `run_worker=False` this process delivers nothing: a worker elsewhere does.
    """

    async def create(
        self,
        account: Reference | None,
        url: str,
        events: Sequence[str] | None = None,
        secret: str | None = None,
    ) -> CallbackView:
        """
        Create an endpoint, with its secret in this result only; without `events` it gets every event.

        With `account=None` and `events=["log.*"]` it is told of the signed heads of the log.
        """
        body = structure(documented(url=url, events=events, secret=secret), NewCallback)
        if account is None and meant_for_operators(body.events):
            owner = embedder(self._parts, OPERATORS)
        else:
            # Nothing in place of an account is refused by the name of the argument.
            owner = await acting_for(self._parts, "" if account is None else account)
        return await self._parts.callbacks.create(
            owner,
            url=body.url,
            events=body.events,
            secret=body.secret,
        )

    async def get(self, callback: Reference) -> CallbackView:
        """Return an endpoint by its id; raise `CallbackNotFoundError`."""
        return await self._parts.callbacks.get(embedder(self._parts, ""), id_of(callback))

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[CallbackView]:
        """List endpoints, the newest first."""
        account_id = await account_filter(self._parts, account)
        return await self._parts.callbacks.list(account_id, Paging.clamped(page, page_size))

    async def remove(self, callback: Reference) -> CallbackView:
        """Remove an endpoint; raise `CallbackNotFoundError`."""
        return await self._parts.callbacks.remove(embedder(self._parts, ""), id_of(callback))

    async def deliveries(
        self, callback: Reference, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[DeliveryView]:
        """List the deliveries to an endpoint, past and pending, the newest first."""
        paging = Paging.clamped(page, page_size)
        return await self._parts.callbacks.deliveries(
            embedder(self._parts, ""), id_of(callback), paging
        )

    async def delivery(self, callback: Reference, delivery: Reference) -> WholeDelivery:
        """Return a delivery with its request; raise `DeliveryNotFoundError`."""
        by = embedder(self._parts, "")
        return await self._parts.callbacks.delivery(by, id_of(callback), id_of(delivery))

    async def test(self, callback: Reference) -> SentTest:
        """Send a test event to an endpoint; raise `CallbackRemovedError`."""
        return await self._parts.callbacks.test(embedder(self._parts, ""), id_of(callback))

    async def redeliver(self, callback: Reference, delivery: Reference) -> DeliveryView:
        """Attempt a delivery again now; raise `DeliveryNotFoundError` or `CallbackRemovedError`."""
        by = embedder(self._parts, "")
        return await self._parts.callbacks.redeliver(by, id_of(callback), id_of(delivery))
