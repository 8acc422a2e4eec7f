"""The listener: bound, announced, drained (C-1)."""

from __future__ import annotations

import asyncio
import gc
import resource
import select
import signal
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from aiohttp import web
from attrs import evolve

from ...adapters.logs import logger
from ...adapters.meters import Meters
from .connections import NEW_REQUEST_ID, Connections
from .expectations import deferring
from .front import Front
from .patience import PATIENCE

# Requests make few cycles; at the default of 700 the collector took 6 % of the time (profile).
_COLLECT_AFTER = 5_000
# What a process opens beside its clients' connections: the store, the log, providers.
_OTHER_FILES = 256
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
    sockets: Sequence[socket.socket] = (),
) -> None:
    """
    Serve until SIGTERM or SIGINT, then take no more connections and answer what is under way.

    `drain_timeout` is in seconds, and so long at most does that take. `listening` is called with the
    port once it is bound. Sockets that are bound already take the place of `host` and `port`.
    Raises `OSError` when nobody can be listened to there.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(tell_uncaught)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    _calm_the_collector()
    async with listener(
        app, host=host, port=port, drain_timeout=drain_timeout, meters=meters, sockets=sockets
    ) as bound:
        listening(bound)
        await stop.wait()
        _log.info("draining", seconds=drain_timeout)


@asynccontextmanager
async def listener(
    app: web.Application,
    *,
    host: str,
    port: int,
    drain_timeout: float,
    meters: Meters | None = None,
    sockets: Sequence[socket.socket] = (),
) -> AsyncIterator[int]:
    """
    Listen until the end of the block, then answer what is under way; gives the port.

    Sockets that are bound already, and may be other processes' too, take the place of `host` and
    `port`. Raises `OSError` when nobody can be listened to there.
    """
    runner = web.AppRunner(app, shutdown_timeout=drain_timeout)
    await runner.setup()
    server = runner.server
    assert server is not None  # noqa: S101  set-up made it
    server.request_factory = deferring(server.request_factory)
    server.request_handler = Front(app, server.request_handler)
    patience = evolve(app[PATIENCE], connections=_room_for(app[PATIENCE].connections))
    connections = Connections(server, patience, app[NEW_REQUEST_ID])
    if meters is not None:
        meters.watch_connections(lambda: len(server.connections))
    watch = asyncio.create_task(connections.watch())
    try:
        create = partial(
            asyncio.get_running_loop().create_server, connections.accept, backlog=_BACKLOG
        )
        doors = [await create(sock=each) for each in sockets] or [await create(host, port)]
        try:
            yield doors[0].sockets[0].getsockname()[1]
            await _let_in(doors)
        finally:
            for door in doors:
                door.close()
    finally:
        # aiohttp waits for its time-out twice: for the answers, and for what has not ended even then.
        with suppress(TimeoutError):
            async with asyncio.timeout(drain_timeout):
                await runner.cleanup()
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch


async def _let_in(doors: Sequence[asyncio.Server]) -> None:
    """Take in what was sent before the signal: closing a listener resets all that waits at it (D-32)."""
    waiting = select.poll()
    for each in doors:
        for at in each.sockets:
            waiting.register(at.fileno(), select.POLLIN)
    loop = asyncio.get_running_loop()
    until = loop.time() + _LET_IN_SECONDS
    calm = 0
    while calm < _CALM_TURNS and loop.time() < until:
        await asyncio.sleep(0)
        calm = 0 if waiting.poll(0) else calm + 1


def tell_uncaught(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what nothing caught; the loop's own words show arguments, and texts of errors (C-31)."""
    error = context.get("exception")
    _log.error("uncaught_error", about=None if error else context["message"], exc_info=error)


def _calm_the_collector() -> None:
    """Look for cycles less often, and never among what lives as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER, 20, 20)


def _room_for(connections: int) -> int:
    """Raise the limit on open files to what so many connections need, and give how many fit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, allowed - _OTHER_FILES)
