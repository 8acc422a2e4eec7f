"""Load callback endpoints by their ids, and remove them (C-33)."""

from __future__ import annotations

from ...domain import callback_endpoint
from ...domain.callback_endpoint import (
    CallbackEndpoint,
    CallbackNotFoundError,
    callback_endpoint_decider,
)
from ..caller import Caller
from ..journal import Journal
from ..ports.clock import Clock
from ..repository import Repository


class EndpointRepository(Repository[CallbackEndpoint]):
    """Endpoints, including removed ones; raises `CallbackNotFoundError`."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        super().__init__(journal, clock, callback_endpoint_decider, CallbackNotFoundError)

    async def remove(self, by: Caller, endpoint_id: str) -> CallbackEndpoint:
        """Remove an endpoint and its secret."""
        return await self.decide(by, endpoint_id, callback_endpoint.remove, dropping=(endpoint_id,))
