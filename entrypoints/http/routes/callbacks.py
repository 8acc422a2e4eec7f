"""Callbacks: where accounts are told what happens, and what became of that (C-33, C-53)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...typed_requests import NewCallback
from ...wiring import Wired
from ..answers import list_answer
from ..operating import Operators, acting_for, record_answer, records_answer
from ..query_names import PAGE, bodiless, takes
from ..requests import body_as, paging_of

_ROOT = "callbacks"


class CallbackRoutes:
    """Endpoints and their deliveries, under `/admin/v1/callbacks`."""

    def __init__(self, service: Wired, operators: Operators) -> None:
        self._service = service
        self._callbacks = service.callbacks
        self._operators = operators

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return self._operators.table(
            (
                (web.post, _ROOT, self.create),
                (web.get, _ROOT, self.list),
                (web.get, f"{_ROOT}/{{id}}", self.get),
                (web.delete, f"{_ROOT}/{{id}}", self.remove),
                (web.get, f"{_ROOT}/{{id}}/deliveries", self.deliveries),
                (web.post, f"{_ROOT}/{{id}}/deliveries/{{deliveryId}}/redeliver", self.redeliver),
            )
        )

    async def create(self, request: web.Request, by: Caller) -> web.Response:
        """Create an endpoint and tell its secret, once."""
        body = await body_as(request, NewCallback)
        created = await self._callbacks.create(
            await acting_for(self._service, by, body.account),
            url=body.url,
            events=body.events,
            secret=body.secret,
        )
        return record_answer(by, created, 201)

    @takes("account", *PAGE)
    async def list(self, request: web.Request, by: Caller) -> web.Response:
        """List endpoints, never their secrets."""
        return await records_answer(request, by, self._service, self._callbacks.list)

    async def get(self, request: web.Request, by: Caller) -> web.Response:
        """Show one endpoint."""
        return record_answer(by, await self._callbacks.get(request.match_info["id"]))

    @bodiless
    async def remove(self, request: web.Request, by: Caller) -> web.Response:
        """Remove an endpoint."""
        return record_answer(by, await self._callbacks.remove(by, request.match_info["id"]))

    @takes(*PAGE)
    async def deliveries(self, request: web.Request, by: Caller) -> web.Response:
        """List what was sent to an endpoint, or will be."""
        listed = await self._callbacks.deliveries(request.match_info["id"], paging_of(request))
        return list_answer(listed).response(by.request_id)

    @bodiless
    async def redeliver(self, request: web.Request, by: Caller) -> web.Response:
        """Have a delivery attempted again, at once."""
        endpoint_id, delivery_id = request.match_info["id"], request.match_info["deliveryId"]
        return record_answer(by, await self._callbacks.redeliver(by, endpoint_id, delivery_id))
