"""The aiohttp application: the edge around the routes of every area."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from attrs import field, frozen

from ..settings import SANDBOX_ADMIN_TOKEN
from ..wiring import Wired
from .answers import Answer
from .bodies import MAX_BODY
from .edge import NOTHING_HERE, edge, request_id_of
from .large_bodies import LARGE_BODIES, LargeBodies
from .legacy_form import LOGIN_PATH, RATING_PATH, SEND_PATH
from .listener.client_address import TRUSTED_PROXIES, Network
from .listener.connections import NEW_REQUEST_ID
from .listener.patience import PATIENCE, USUAL_PATIENCE, Patience
from .mounting import MOUNT, Mount
from .operating import Operators
from .requests import CALLERS_PORT, CallersPort
from .routes.audit import AuditRoutes
from .routes.callbacks import CallbackRoutes
from .routes.docs import DocsRoutes
from .routes.health import HealthRoutes
from .routes.legacy import LegacyRoutes
from .routes.legacy_users import LegacyUserRoutes
from .routes.levers import LeverRoutes
from .routes.management import ManagementRoutes
from .routes.media import MediaRoutes
from .routes.message_history import MessageHistoryRoutes
from .routes.message_reports import MessageReportRoutes
from .routes.message_templates import MessageTemplateRoutes
from .routes.messages import MessageRoutes
from .routes.opt_lists import OptListRoutes
from .routes.pin_templates import PinTemplateRoutes
from .routes.pins import PinRoutes
from .routes.provider_webhooks import ProviderWebhookRoutes
from .routes.rcs_template_reviews import RcsTemplateReviewRoutes
from .routes.rcs_templates import RcsTemplateRoutes
from .routes.sandbox import SandboxRoutes
from .routes.sandbox_phones import SandboxPhoneRoutes
from .routes.short_links import ShortLinkRoutes
from .routes.whatsapp_template_reviews import WhatsappTemplateReviewRoutes
from .routes.whatsapp_templates import WhatsappTemplateRoutes
from .sandbox_guard import OPERATORS_PREFIX, SHORT_PREFIX, SandboxGuard, check_host
from .stopping import STOPPING, Stopping

OPENAPI = Path(__file__).with_name("openapi.json")


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

    def guard(self, *prefixes: str) -> SandboxGuard:
        """Return the guard of the sandbox's routes under some prefixes."""
        return SandboxGuard(self.admin_token if self.sandbox_public else None, prefixes)


def build_app(
    service: Wired,
    exposure: Exposure,
    around: Sequence[Middleware] = (),
    patience: Patience = USUAL_PATIENCE,
) -> web.Application:
    """
    Build the application around a wired service; whoever wired it closes it.

    `around` looks on from outside the edge, the outermost first.
    """
    app = _edged(service, exposure, around, patience)
    app.add_routes(HealthRoutes(service).table())
    app.add_routes(DocsRoutes().table())
    app.add_routes(PinRoutes(service).table())
    app.add_routes(MessageRoutes(service).table())
    app.add_routes(MessageHistoryRoutes(service).table())
    app.add_routes(MessageReportRoutes(service).table())
    app.add_routes(ShortLinkRoutes(service).table())
    app.add_routes(OptListRoutes(service).table())
    app.add_routes(RcsTemplateRoutes(service).table())
    app.add_routes(MessageTemplateRoutes(service).table())
    app.add_routes(MediaRoutes(service).table())
    app.add_routes(WhatsappTemplateRoutes(service).table())
    if not exposure.legacy_apart:
        app.add_routes(LegacyRoutes(service).table())
    guard = exposure.guard(SHORT_PREFIX)
    app.add_routes(ProviderWebhookRoutes(service, guard).table())
    _add_sandbox(app, service, guard)
    if not exposure.admin_apart:
        _add_operators(app, service, exposure)
    app.router.add_get("/openapi.json", _openapi())
    app[MOUNT] = Mount(app)
    return app


def build_admin_app(
    service: Wired,
    exposure: Exposure,
    around: Sequence[Middleware] = (),
    patience: Patience = USUAL_PATIENCE,
) -> web.Application:
    """Build the application of the operators' own listener: their routes, health, the document (C-96)."""
    app = _edged(service, exposure, around, patience)
    app.add_routes(HealthRoutes(service).table())
    _add_operators(app, service, exposure)
    app.router.add_get("/openapi.json", _openapi())
    app[MOUNT] = Mount(app)
    return app


def build_legacy_app(
    service: Wired,
    exposure: Exposure,
    around: Sequence[Middleware] = (),
    patience: Patience = USUAL_PATIENCE,
) -> web.Application:
    """Build the application of the legacy platform's own listener, which has nothing else (C-41)."""
    app = _edged(service, exposure, around, patience)
    app[NOTHING_HERE] = (
        f"There is nothing at this path. POST to {LOGIN_PATH}, {SEND_PATH} or {RATING_PATH}."
    )
    app.add_routes(LegacyRoutes(service).table())
    app[MOUNT] = Mount(app)
    return app


def _add_operators(app: web.Application, service: Wired, exposure: Exposure) -> None:
    """Add what stands under `/admin/v1`: without a token nothing but what a sandbox has there."""
    _add_sandbox(app, service, exposure.guard(OPERATORS_PREFIX))
    if not exposure.admin_token:
        return
    operators = Operators(exposure.admin_token)
    app.add_routes(MessageReportRoutes(service).table_of(operators))
    app.add_routes(ManagementRoutes(service, operators).table())
    app.add_routes(LeverRoutes(service, operators).table())
    app.add_routes(PinTemplateRoutes(service, operators).table())
    app.add_routes(CallbackRoutes(service, operators).table())
    app.add_routes(RcsTemplateReviewRoutes(service, operators).table())
    app.add_routes(WhatsappTemplateReviewRoutes(service, operators).table())
    app.add_routes(LegacyUserRoutes(service, operators).table())
    app.add_routes(AuditRoutes(service, operators).table())


def _add_sandbox(app: web.Application, service: Wired, guard: SandboxGuard) -> None:
    if service.sandbox is not None:
        app.add_routes(SandboxRoutes(service.sandbox, guard).table())
        app.add_routes(SandboxPhoneRoutes(service.sandbox.phones, guard).table())


def _edged(
    service: Wired, exposure: Exposure, around: Sequence[Middleware], patience: Patience
) -> web.Application:
    new_request_id: Callable[[], str] = partial(service.randomness.new_id, "req")
    known_to_all = service.sandbox is not None and exposure.admin_token == SANDBOX_ADMIN_TOKEN
    middlewares = [*around, edge(new_request_id, check_host if known_to_all else None)]
    app = web.Application(middlewares=middlewares, client_max_size=MAX_BODY)
    app[PATIENCE] = patience
    app[LARGE_BODIES] = LargeBodies()
    app[NEW_REQUEST_ID] = new_request_id
    app[CALLERS_PORT] = CallersPort()
    app[TRUSTED_PROXIES] = exposure.trusted_proxies
    app[STOPPING] = stopping = Stopping(patience.rest)
    app.on_shutdown.append(stopping.begin)
    return app


def _openapi() -> Handler:
    document = OPENAPI.read_bytes()

    async def openapi(request: web.Request) -> web.Response:
        return Answer(200, document).response(request_id_of(request))

    return openapi
