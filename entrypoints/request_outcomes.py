"""Observes the outcome of each request for metrics and access log, with route templates and no paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from attrs import frozen

from ..adapters.logs import logger
from .http.edge import REFUSAL
from .http.listener.client_address import FORWARDED, Network, client_address
from .http.request_ids import logged_id_of

if TYPE_CHECKING:
    from ..adapters.meters import Meters

UNKNOWN = "unknown"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_VERIFY = "/v1/pins/{pinId}/verify"
# The answers of a verify call that judge the typed code (C-14).
_VERDICTS = {
    None: "verified",
    "pin_incorrect": "failed",
    "pin_blocked": "blocked",
    "pin_expired": "expired",
    "rate_limited": "rate_limited",
}
# The refusals of keys, logins and tokens.
_UNAUTHORIZED = frozenset({"unauthorized", "bad_login", "token_invalid"})
_log = logger("watchword.access")


@frozen
class Answered:
    """One request and its answer; `refusal` is the documented code, if it was refused."""

    route: str
    method: str
    status: int
    refusal: str | None
    seconds: float
    request_id: str
    client: str | None


def watching(
    observers: Sequence[Callable[[Answered], None]], trusted: Sequence[Network] = ()
) -> Middleware:
    """
    Return the middleware around the edge that passes every answer to the observers.

    `trusted` are the networks of proxies whose forwarded client address is believed.
    """

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        began = perf_counter()
        response = await handler(request)
        answered = Answered(
            route_of(request),
            method_of(request),
            response.status,
            request.get(REFUSAL),
            perf_counter() - began,
            logged_id_of(request),
            client_address(request.remote, request.headers.getall(FORWARDED, ()), trusted),
        )
        for observer in observers:
            observer(answered)
        return response

    return middleware


def route_of(request: web.Request) -> str:
    """Return the template of a request's route; `unknown` without a route."""
    resource = request.match_info.route.resource
    return UNKNOWN if resource is None else resource.canonical


def method_of(request: web.Request) -> str:
    """Return a request's method; `unknown` for one that HTTP does not define."""
    return request.method if request.method in _METHODS else UNKNOWN


def measured(meters: Meters) -> Callable[[Answered], None]:
    """Return the observer that counts answers, verdicts and refused keys (D-26)."""

    def observe(answered: Answered) -> None:
        meters.answered(answered.route, answered.method, answered.status, answered.seconds)
        if answered.route == _VERIFY and answered.refusal in _VERDICTS:
            meters.judged(_VERDICTS[answered.refusal])
        if answered.refusal in _UNAUTHORIZED:
            meters.unauthorized()

    return observe


def access_line(answered: Answered) -> None:
    """Log one line for an answer (`--access-log`)."""
    _log.info(
        "answered",
        request_id=answered.request_id,
        client=answered.client,
        method=answered.method,
        route=answered.route,
        status=answered.status,
        refusal=answered.refusal,
        milliseconds=round(answered.seconds * 1000, 2),
    )
