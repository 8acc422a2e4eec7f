"""The endpoints that are told, since when, and no more."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain import callback_endpoint
from ...domain.callback_endpoint import (
    CallbackEndpoint,
    CallbackNotFoundError,
    callback_endpoint_decider,
)
from ..caller import Caller
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.listings import Missing, Query
from ..read_models.rows import CallbackEndpointRow
from ..repository import Repository

_AT_ONCE = 1000


class LiveEndpoints:
    """Finds the endpoints that are not removed."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._since: dict[str, int] = {}

    async def all(self) -> Sequence[CallbackEndpointRow]:
        """Give them, the oldest first; where there are none, that costs one look into an index."""
        found: list[CallbackEndpointRow] = []
        page = 1
        while len(found) == _AT_ONCE * (page - 1):
            query = Query(
                rows=CallbackEndpointRow,
                where=(Missing("removed_at"),),
                descending=False,
                page=page,
                page_size=_AT_ONCE,
            )
            found += await self._journal.slice(query)
            page += 1
        return found

    async def since(self, endpoint_id: str) -> int:
        """Give the position of its creation, behind which an endpoint is told."""
        if endpoint_id not in self._since:
            self._since[endpoint_id] = (await self._journal.read_stream(endpoint_id))[0].position
        return self._since[endpoint_id]


class EndpointRepository(Repository[CallbackEndpoint]):
    """Callback endpoints, removed ones too; raises `CallbackNotFoundError`."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        super().__init__(journal, clock, callback_endpoint_decider, CallbackNotFoundError)

    async def remove(self, by: Caller, endpoint_id: str) -> CallbackEndpoint:
        """Remove an endpoint and its secret."""
        return await self.decide(by, endpoint_id, callback_endpoint.remove, dropping=(endpoint_id,))
