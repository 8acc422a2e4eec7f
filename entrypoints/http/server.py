"""The listener: bound, announced, drained (C-1)."""

from __future__ import annotations

import asyncio
import gc
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from aiohttp import web

from ...adapters.logs import logger
from ...adapters.meters import Meters

# Requests make few cycles; at the default of 700 the collector took 6 % of the time (profile).
_COLLECT_AFTER = 5_000
_BACKLOG = 1024
# From a connection to the bytes of its request takes the loop a few turns; then all is let in.
_CALM_TURNS = 10
_LET_IN_SECONDS = 1.0
_log = logger("watchword.server")


async def serve(
    app: web.Application,
    *,
    host: str,
    port: int,
    drain_timeout: float,
    listening: Callable[[int], None],
    meters: Meters | None = None,
) -> None:
    """
    Serve until SIGTERM or SIGINT, then take no more connections and answer what is under way.

    `drain_timeout` is in seconds, and so long at most does that take. `listening` is called with the
    port once it is bound. Raises `OSError` when it cannot be.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(tell_uncaught)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=drain_timeout)
    await runner.setup()
    server = runner.server
    assert server is not None  # noqa: S101  set up is what it was
    if meters is not None:
        meters.watch(connections=lambda: len(server.connections))
    _calm_the_collector()
    try:
        listener = await loop.create_server(server, host, port, backlog=_BACKLOG)
        listening(listener.sockets[0].getsockname()[1])
        await stop.wait()
        await _let_in(listener)
        listener.close()
        _log.info("draining", connections=len(server.connections), seconds=drain_timeout)
    finally:
        # aiohttp waits for its time-out twice: for the answers, and for what has not ended even then.
        with suppress(TimeoutError):
            async with asyncio.timeout(drain_timeout):
                await runner.cleanup()


async def _let_in(listener: asyncio.Server) -> None:
    """Take in what was sent before the signal: closing a listener resets all that waits at it (D-32)."""
    door = select.poll()
    for each in listener.sockets:
        door.register(each.fileno(), select.POLLIN)
    loop = asyncio.get_running_loop()
    until = loop.time() + _LET_IN_SECONDS
    calm = 0
    while calm < _CALM_TURNS and loop.time() < until:
        await asyncio.sleep(0)
        calm = 0 if door.poll(0) else calm + 1


def tell_uncaught(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what nothing caught; the loop's own words show arguments, and texts of errors (C-31)."""
    error = context.get("exception")
    _log.error("uncaught_error", about=None if error else context["message"], exc_info=error)


def _calm_the_collector() -> None:
    """Look for cycles less often, and never among what lives as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER, 20, 20)
