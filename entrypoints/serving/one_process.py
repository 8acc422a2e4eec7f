"""Serves the endpoint: in one process, or in each of several workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from socket import socket

from ...adapters.logs import logger
from ..composition.bootstrap import wired
from ..http.app import (
    Exposure,
    build_admin_app,
    build_app,
    build_console_app,
    build_legacy_app,
)
from ..http.listener.callers_port import CALLERS_PORT
from ..http.listener.listeners import Listener
from ..http.listener.patience import FEW_CLIENTS
from ..http.listener.server import serve as serve_listeners
from ..http.route import Route
from ..listening import held
from ..settings import Settings
from ..wired import Wired
from .endpoint import ADMIN, CONSOLE, LEGACY, MAIN, Endpoint
from .first_steps import Ready, what_is_missing
from .observing import Observing, spans

_log = logger("watchword.service")


async def serve_endpoint(
    settings: Settings,
    endpoint: Endpoint,
    observing: Observing,
    ready: Ready,
    sockets: Mapping[str, Sequence[socket]] | None = None,
) -> None:
    """
    Serve until SIGTERM or SIGINT, then finish the requests in progress.

    `ready` gets the ports, and what the store lacks before its first send. Bound `sockets` replace the
    host and ports. Raises the errors of `wired`, and `SettingsError` if an address cannot be bound.
    """
    exposure = Exposure(
        admin_token=endpoint.admin_token,
        sandbox_public=endpoint.sandbox_public,
        legacy_apart=LEGACY in endpoint.wanted_ports,
        admin_apart=ADMIN in endpoint.wanted_ports,
        trusted_proxies=observing.trusted_proxies,
    )
    more_ports: dict[str, int] = {}
    metrics_port = observing.metrics_port

    def listening(bound: Sequence[int]) -> None:
        ports = dict(zip(endpoint.wanted_ports, bound, strict=True))
        named = {flag.removeprefix("--").replace("-", "_"): port for flag, port in ports.items()}
        _log.info("ready", host=endpoint.host, **named, **more_ports)
        for listener in listeners:
            listener.app[CALLERS_PORT].number = ports[MAIN]
        service.linking_media.served_at(endpoint.base(ports[MAIN]))
        ready(ports, missing)

    async with AsyncExitStack() as stack:
        # An address that is in use is reported before anything is started.
        doorways = sockets or {
            flag: await held(stack, endpoint.host, port, flag)
            for flag, port in endpoint.wanted_ports.items()
        }
        metrics_at = await held(stack, endpoint.host, metrics_port, "--metrics-port")
        tracing = await stack.enter_async_context(spans())
        meters = observing.meters()
        service = await stack.enter_async_context(wired(settings, meters=meters, tracing=tracing))
        missing = await what_is_missing(service)
        if meters is not None and metrics_port is not None:
            from .metrics_listener import metrics_served

            served = metrics_served(meters, endpoint.host, metrics_port, metrics_at)
            more_ports["metrics_port"] = await stack.enter_async_context(served)
        around = observing.around(meters, tracing)
        pages = {endpoint.console_at: _console(service, endpoint)}
        of_operators = partial(build_admin_app, service, exposure, around, FEW_CLIENTS)
        of_console = partial(build_console_app, service, exposure, around, FEW_CLIENTS)
        apps = {
            MAIN: partial(build_app, service, exposure, around, console=pages.get(MAIN, ())),
            LEGACY: partial(build_legacy_app, service, exposure, around),
            ADMIN: partial(of_operators, console=pages.get(ADMIN, ())),
            CONSOLE: partial(of_console, console=pages.get(CONSOLE, ())),
        }
        listeners = [
            Listener(apps[flag](), endpoint.host, port, flag, doorways[flag])
            for flag, port in endpoint.wanted_ports.items()
        ]
        await serve_listeners(
            listeners, drain_timeout=endpoint.drain_timeout, listening=listening, meters=meters
        )


def _console(service: Wired, endpoint: Endpoint) -> Sequence[Route]:
    if not endpoint.has_console:
        return ()
    # Without the console, neither its pages nor the library that renders them are loaded.
    from ..console.mounting import console_routes

    return console_routes(service, endpoint.console_url_known)
