"""What serves the endpoint: in one process, or in each of several workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from socket import socket

from ...adapters.logs import logger
from ..bootstrap import wired
from ..http.app import Exposure, build_app, build_legacy_app
from ..http.doors import Door
from ..http.server import serve as serve_doors
from ..settings import Settings
from .observing import Observing, spans
from .running import Listener

_log = logger("watchword.service")


async def serve_endpoint(
    settings: Settings,
    listener: Listener,
    observing: Observing,
    ready: Callable[[Sequence[int]], None],
    sockets: Sequence[Sequence[socket]] = ((), ()),
) -> None:
    """
    Serve until SIGTERM or SIGINT and finish what is under way.

    `ready` is told the port, and the legacy platform's where it has one of its own. Sockets that are
    bound already take the place of the listener's host and ports. Raises what `wired` raises, and
    `SettingsError` where nobody can be listened to.
    """
    exposure = Exposure(
        admin_token=listener.admin_token,
        sandbox_public=listener.sandbox_public,
        legacy_apart=listener.legacy_port is not None,
    )
    more_ports: dict[str, int] = {}

    def listening(ports: Sequence[int]) -> None:
        more_ports.update(zip(("legacy_port",), ports[1:], strict=False))
        _log.info("ready", host=listener.host, port=ports[0], **more_ports)
        service.linking_media.served_at(listener.base(ports[0]))
        ready(ports)

    async with AsyncExitStack() as stack:
        tracing = await stack.enter_async_context(spans())
        meters = observing.meters()
        service = await stack.enter_async_context(wired(settings, meters=meters, tracing=tracing))
        if meters is not None and observing.metrics_port is not None:
            from ..http.metrics import metrics_served

            served = metrics_served(meters, listener.host, observing.metrics_port)
            more_ports["metrics_port"] = await stack.enter_async_context(served)
        around = observing.around(meters, tracing)
        app = build_app(service, exposure, around)
        doors = [Door(app, listener.host, listener.port, "--port", sockets[0])]
        if listener.legacy_port is not None:
            legacy = build_legacy_app(service, around)
            at = listener.legacy_port
            doors.append(Door(legacy, listener.host, at, "--legacy-port", sockets[1]))
        await serve_doors(
            doors, drain_timeout=listener.drain_timeout, listening=listening, meters=meters
        )
