"""Callback endpoints and their deliveries (C-33, C-53)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ....domain.callback_endpoint import OPERATORS, meant_for_operators
from ...wire.typed_requests import NewCallback
from ...wired import Wired
from ..operator_handlers import (
    ACCOUNT_AND_PAGE,
    acting,
    acting_for,
    listing,
    record_answer,
    records_answer,
)
from ..requests import paging_of, whole_body_as
from ..route import ACT, PAGE, READ, About, Route

_ALL = "/admin/v1/callbacks"
_ONE = f"{_ALL}/{{id}}"


async def create(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """
    Create an endpoint of an account; without an account and for the log alone, one of operators.

    A misspelt `events` must not tell of everything (D-547).
    """
    body = await whole_body_as(request, NewCallback)
    owner = await endpoint_owner(service, by, body)
    made = await service.callbacks.create(
        owner, url=body.url, events=body.events, secret=body.secret
    )
    return record_answer(by, made, 201)


async def endpoint_owner(service: Wired, by: Caller, body: NewCallback) -> Caller:
    """Return the caller for whom an endpoint is made: an account, or all operators."""
    if body.account is None and meant_for_operators(body.events):
        return by.acting_for(OPERATORS)
    return await acting_for(service, by, body.account)


async def get(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show one endpoint."""
    return record_answer(by, await service.callbacks.get(by, request.match_info["id"]))


async def deliveries(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """List what was sent to an endpoint, or will be."""
    listed = await service.callbacks.deliveries(by, request.match_info["id"], paging_of(request))
    return records_answer(by, listed)


async def delivery(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show one delivery, with its request."""
    endpoint_id, delivery_id = request.match_info["id"], request.match_info["deliveryId"]
    return record_answer(by, await service.callbacks.delivery(by, endpoint_id, delivery_id))


async def test(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Send a test event to an endpoint."""
    return record_answer(by, await service.callbacks.test(by, request.match_info["id"]), 202)


async def redeliver(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Have a delivery attempted again, at once."""
    endpoint_id, delivery_id = request.match_info["id"], request.match_info["deliveryId"]
    return record_answer(by, await service.callbacks.redeliver(by, endpoint_id, delivery_id))


_list = listing(lambda service: service.callbacks.list)
_remove = acting(lambda service: service.callbacks.remove)
_DELIVERY = f"{_ONE}/deliveries/{{deliveryId}}"

CALLBACK_ROUTES = (
    Route("POST", _ALL, create, ACT, About.ACCOUNT),
    Route("GET", _ALL, _list, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("GET", _ONE, get, READ, About.ACCOUNT),
    Route("DELETE", _ONE, _remove, ACT, About.ACCOUNT, bodiless=True),
    Route("GET", f"{_ONE}/deliveries", deliveries, READ, About.ACCOUNT, PAGE),
    Route("GET", _DELIVERY, delivery, READ, About.ACCOUNT),
    Route("POST", f"{_DELIVERY}/redeliver", redeliver, ACT, About.ACCOUNT, bodiless=True),
    Route("POST", f"{_ONE}/test", test, ACT, About.ACCOUNT, bodiless=True),
)
