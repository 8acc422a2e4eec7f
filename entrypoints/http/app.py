"""The aiohttp application: the edge around the routes of every area."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from aiohttp import web
from aiohttp.typedefs import Middleware
from attrs import field, frozen

from ..legacy.answer_bodies import LOGIN_PATH, RATING_PATH, SEND_PATH
from ..rooted import rooted
from ..settings import SANDBOX_ADMIN_TOKEN
from ..wired import Wired
from .edge import NOTHING_HERE, edge
from .gate import Gate
from .listener.bodies import MAX_BODY
from .listener.callers_port import CALLERS_PORT, CallersPort
from .listener.client_address import TRUSTED_PROXIES, Network
from .listener.connections import NEW_REQUEST_ID
from .listener.large_bodies import LARGE_BODIES, LargeBodies
from .listener.large_posts import LARGE_POSTS, LargePosts
from .listener.mounting import MOUNT, Mount
from .listener.own_answers import OWN_ANSWERS
from .listener.patience import PATIENCE, USUAL_PATIENCE, Patience
from .listener.stopping import STOPPING, Stopping
from .route import Route
from .routes import (
    CALLER_ROUTES,
    HEALTH_ROUTES,
    LEGACY_ROUTES,
    OPENAPI_ROUTES,
    OPERATOR_ROUTES,
    SANDBOX_OPERATOR_ROUTES,
    SANDBOX_ROUTES,
)
from .sandbox_guard import SandboxGuard, check_host
from .unrouted_answers import UnroutedAnswers


@frozen(kw_only=True)
class Exposure:
    """
    What the endpoint shows besides PINs and messages; without an admin token no management (C-3).

    With `legacy_apart` the legacy platform is not here, but where `build_legacy_app` is (C-41), and
    with `admin_apart` the operators' routes are where `build_admin_app` is (C-96). Of the proxies in
    `trusted_proxies` it is believed whose request they forward (D-105).
    """

    admin_token: str | None = field(default=None, repr=False)
    sandbox_public: bool = False
    legacy_apart: bool = False
    admin_apart: bool = False
    trusted_proxies: tuple[Network, ...] = ()


def build_app(
    service: Wired,
    exposure: Exposure,
    around: Sequence[Middleware] = (),
    patience: Patience = USUAL_PATIENCE,
    console: Sequence[Route] = (),
) -> web.Application:
    """
    Build the application around a wired service; whoever wired it closes it.

    `around` looks on from outside the edge, the outermost first. `console` are the routes of the console,
    if that is not elsewhere.
    """
    routes = CALLER_ROUTES
    if service.sandbox is not None:
        routes += SANDBOX_ROUTES
    if not exposure.legacy_apart:
        routes += LEGACY_ROUTES
    if not exposure.admin_apart:
        routes += _operator_routes(service, exposure)
    return _built(service, exposure, around, patience, (*routes, *console))


def build_admin_app(
    service: Wired,
    exposure: Exposure,
    around: Sequence[Middleware] = (),
    patience: Patience = USUAL_PATIENCE,
    console: Sequence[Route] = (),
) -> web.Application:
    """Build the application of the operators' own listener: their routes, health, the document (C-96)."""
    routes = HEALTH_ROUTES + _operator_routes(service, exposure) + OPENAPI_ROUTES
    return _built(service, exposure, around, patience, (*routes, *console))


def build_console_app(
    service: Wired,
    exposure: Exposure,
    around: Sequence[Middleware] = (),
    patience: Patience = USUAL_PATIENCE,
    console: Sequence[Route] = (),
) -> web.Application:
    """Build the application of the console's own listener, which has health besides (C-85)."""
    return _built(service, exposure, around, patience, (*HEALTH_ROUTES, *console))


def build_legacy_app(
    service: Wired,
    exposure: Exposure,
    around: Sequence[Middleware] = (),
    patience: Patience = USUAL_PATIENCE,
) -> web.Application:
    """Build the application of the legacy platform's own listener, which has nothing else (C-41)."""
    app = _built(service, exposure, around, patience, LEGACY_ROUTES)
    app[NOTHING_HERE] = (
        f"There is nothing at this path. POST to {LOGIN_PATH}, {SEND_PATH} or {RATING_PATH}."
    )
    return app


def _operator_routes(service: Wired, exposure: Exposure) -> tuple[Route, ...]:
    """Return what stands under `/admin/v1`: without a token nothing but what a sandbox has there."""
    operators = OPERATOR_ROUTES if exposure.admin_token else ()
    return operators + (SANDBOX_OPERATOR_ROUTES if service.sandbox is not None else ())


def _built(
    service: Wired,
    exposure: Exposure,
    around: Sequence[Middleware],
    patience: Patience,
    routes: Sequence[Route],
) -> web.Application:
    new_request_id: Callable[[], str] = partial(service.randomness.new_id, "req")
    known_to_all = service.sandbox is not None and exposure.admin_token == SANDBOX_ADMIN_TOKEN
    middlewares = [*around, edge(new_request_id, check_host if known_to_all else None)]
    app = web.Application(middlewares=middlewares, client_max_size=MAX_BODY)
    app[PATIENCE] = patience
    app[LARGE_BODIES] = LargeBodies()
    app[LARGE_POSTS] = LargePosts()
    app[NEW_REQUEST_ID] = new_request_id
    app[OWN_ANSWERS] = UnroutedAnswers()
    app[CALLERS_PORT] = CallersPort()
    app[TRUSTED_PROXIES] = exposure.trusted_proxies
    app[STOPPING] = stopping = Stopping(patience.rest)
    app.on_shutdown.append(stopping.begin)
    service = rooted(service, exposure.admin_token)
    by_token = exposure.sandbox_public and exposure.admin_token is not None
    Gate(service, SandboxGuard(service if by_token else None)).mount(app, routes)
    app[MOUNT] = Mount(app)
    return app
