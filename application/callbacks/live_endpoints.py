"""The endpoints that receive callbacks, and the positions from which they receive them."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain.callback_endpoint import OPERATORS
from ..journal import Journal
from ..ports.listings import Equals, Filter, Missing, Query
from ..records.callback_endpoint import CallbackEndpointRow

_AT_ONCE = 1000


class LiveEndpoints:
    """Finds the endpoints that are not removed."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._since: dict[str, int] = {}

    async def all(self) -> Sequence[CallbackEndpointRow]:
        """Return them, the oldest first; a store without endpoints costs one read in all."""
        return await self._found(Missing("removed_at"))

    async def of_operators(self) -> Sequence[CallbackEndpointRow]:
        """Return the endpoints of operators, the oldest first."""
        return await self._found(Equals("account_id", OPERATORS), Missing("removed_at"))

    async def _found(self, *where: Filter) -> Sequence[CallbackEndpointRow]:
        found: list[CallbackEndpointRow] = []
        page = 1
        while len(found) == _AT_ONCE * (page - 1):
            query = Query(
                rows=CallbackEndpointRow,
                where=where,
                descending=False,
                page=page,
                page_size=_AT_ONCE,
            )
            found += await self._journal.slice(query)
            page += 1
        return found

    async def since(self, endpoint_id: str) -> int:
        """Return the position of an endpoint's creation; it receives the events after it."""
        if endpoint_id not in self._since:
            self._since[endpoint_id] = (await self._journal.read_stream(endpoint_id))[0].position
        return self._since[endpoint_id]
