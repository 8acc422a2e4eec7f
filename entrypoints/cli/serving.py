"""What serves the endpoint: in one process, or in each of several workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from socket import socket

from ...adapters.logs import logger
from ...adapters.meters import Meters
from ..bootstrap import wired
from ..http.app import Exposure, build_app
from ..http.metrics import metrics_served
from ..http.server import serve as serve_app
from ..settings import Settings
from .observing import Observing, spans
from .running import Listener, listening_on

_log = logger("watchword.service")


async def serve_endpoint(
    settings: Settings,
    listener: Listener,
    observing: Observing,
    ready: Callable[[int], None],
    sockets: Sequence[socket] = (),
) -> None:
    """
    Serve until SIGTERM or SIGINT and finish what is under way; `ready` is told the port.

    Sockets that are bound already take the place of the listener's host and port. Raises what
    `wired` raises, and `SettingsError` where nobody can be listened to.
    """
    exposure = Exposure(admin_token=listener.admin_token, sandbox_public=listener.sandbox_public)
    metrics_at: dict[str, int] = {}

    def listening(port: int) -> None:
        _log.info("ready", host=listener.host, port=port, **metrics_at)
        service.linking_media.served_at(listener.base(port))
        ready(port)

    async with AsyncExitStack() as stack:
        tracing = await stack.enter_async_context(spans())
        meters = None if observing.metrics_port is None else Meters()
        service = await stack.enter_async_context(wired(settings, meters=meters, tracing=tracing))
        if meters is not None and observing.metrics_port is not None:
            with listening_on(listener.host, observing.metrics_port, "--metrics-port"):
                served = metrics_served(meters, listener.host, observing.metrics_port)
                metrics_at["metrics_port"] = await stack.enter_async_context(served)
        with listening_on(listener.host, listener.port, "--port"):
            await serve_app(
                build_app(service, exposure, observing.around(meters, tracing)),
                host=listener.host,
                port=listener.port,
                drain_timeout=listener.drain_timeout,
                listening=listening,
                meters=meters,
                sockets=sockets,
            )
