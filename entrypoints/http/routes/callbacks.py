"""Callbacks: where accounts are told what happens, and what became of that (C-33, C-53)."""

from __future__ import annotations

from aiohttp import web

from ...typed_requests import NewCallback
from ...wiring import Wired
from ..answers import list_answer
from ..authentication import admin_caller
from ..operating import account_filter, acting_for, record_answer
from ..requests import body_as, paging_of

_ROOT = "/admin/v1/callbacks"


class CallbackRoutes:
    """Endpoints and their deliveries, under `/admin/v1/callbacks`; the admin token opens them."""

    def __init__(self, service: Wired, admin_token: str) -> None:
        self._service = service
        self._callbacks = service.callbacks
        self._token = admin_token

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [
            web.post(_ROOT, self.create),
            web.get(_ROOT, self.list),
            web.get(f"{_ROOT}/{{id}}", self.get),
            web.delete(f"{_ROOT}/{{id}}", self.remove),
            web.get(f"{_ROOT}/{{id}}/deliveries", self.deliveries),
            web.post(f"{_ROOT}/{{id}}/deliveries/{{deliveryId}}/redeliver", self.redeliver),
        ]

    async def create(self, request: web.Request) -> web.Response:
        """Create an endpoint and tell its secret, once."""
        by = admin_caller(request, self._token)
        body = await body_as(request, NewCallback)
        created = await self._callbacks.create(
            await acting_for(self._service, by, body.account),
            url=body.url,
            events=body.events,
            secret=body.secret,
        )
        return record_answer(by, created, 201)

    async def list(self, request: web.Request) -> web.Response:
        """List endpoints, never their secrets."""
        by = admin_caller(request, self._token)
        account_id = await account_filter(self._service, request)
        listed = await self._callbacks.list(account_id, paging_of(request))
        return list_answer(listed).response(by.request_id)

    async def get(self, request: web.Request) -> web.Response:
        """Show one endpoint."""
        by = admin_caller(request, self._token)
        return record_answer(by, await self._callbacks.get(request.match_info["id"]), 200)

    async def remove(self, request: web.Request) -> web.Response:
        """Remove an endpoint."""
        by = admin_caller(request, self._token)
        return record_answer(by, await self._callbacks.remove(by, request.match_info["id"]), 200)

    async def deliveries(self, request: web.Request) -> web.Response:
        """List what was sent to an endpoint, or will be."""
        by = admin_caller(request, self._token)
        listed = await self._callbacks.deliveries(request.match_info["id"], paging_of(request))
        return list_answer(listed).response(by.request_id)

    async def redeliver(self, request: web.Request) -> web.Response:
        """Have a delivery attempted again, at once."""
        by = admin_caller(request, self._token)
        endpoint_id, delivery_id = request.match_info["id"], request.match_info["deliveryId"]
        return record_answer(by, await self._callbacks.redeliver(by, endpoint_id, delivery_id), 200)
