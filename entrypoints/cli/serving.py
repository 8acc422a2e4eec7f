"""What serves the endpoint: in one process, or in each of several workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from socket import socket

from ...adapters.logs import logger
from ..bootstrap import wired
from ..http.app import Exposure, build_admin_app, build_app, build_legacy_app
from ..http.listener.doors import Door
from ..http.listener.patience import FEW_CLIENTS
from ..http.listener.server import serve as serve_doors
from ..http.requests import CALLERS_PORT
from ..listening import held
from ..settings import Settings
from .observing import Observing, spans
from .running import ADMIN, LEGACY, MAIN, Listener, Ports

_log = logger("watchword.service")


async def serve_endpoint(
    settings: Settings,
    listener: Listener,
    observing: Observing,
    ready: Callable[[Ports], None],
    sockets: Mapping[str, Sequence[socket]] | None = None,
) -> None:
    """
    Serve until SIGTERM or SIGINT and finish what is under way.

    `ready` is told the ports. Sockets that are bound already take the place of the listener's host
    and ports, door by door. Raises what `wired` raises, and `SettingsError` where nobody can be
    listened to.
    """
    exposure = Exposure(
        admin_token=listener.admin_token,
        sandbox_public=listener.sandbox_public,
        legacy_apart=LEGACY in listener.doors,
        admin_apart=ADMIN in listener.doors,
        trusted_proxies=observing.trusted_proxies,
    )
    more_ports: dict[str, int] = {}
    metrics_port = observing.metrics_port

    def listening(bound: Sequence[int]) -> None:
        ports = dict(zip(listener.doors, bound, strict=True))
        named = {flag.removeprefix("--").replace("-", "_"): port for flag, port in ports.items()}
        _log.info("ready", host=listener.host, **named, **more_ports)
        for door in doors:
            door.app[CALLERS_PORT].number = ports[MAIN]
        service.linking_media.served_at(listener.base(ports[MAIN]))
        ready(ports)

    async with AsyncExitStack() as stack:
        # What is taken is said before anything is started.
        doorways = sockets or {
            flag: await held(stack, listener.host, port, flag)
            for flag, port in listener.doors.items()
        }
        metrics_at = await held(stack, listener.host, metrics_port, "--metrics-port")
        tracing = await stack.enter_async_context(spans())
        meters = observing.meters()
        service = await stack.enter_async_context(wired(settings, meters=meters, tracing=tracing))
        if meters is not None and metrics_port is not None:
            from ..http.metrics import metrics_served

            served = metrics_served(meters, listener.host, metrics_port, metrics_at)
            more_ports["metrics_port"] = await stack.enter_async_context(served)
        around = observing.around(meters, tracing)
        apps = {
            MAIN: partial(build_app, service, exposure, around),
            LEGACY: partial(build_legacy_app, service, exposure, around),
            ADMIN: partial(build_admin_app, service, exposure, around, FEW_CLIENTS),
        }
        doors = [
            Door(apps[flag](), listener.host, port, flag, doorways[flag])
            for flag, port in listener.doors.items()
        ]
        await serve_doors(
            doors, drain_timeout=listener.drain_timeout, listening=listening, meters=meters
        )
