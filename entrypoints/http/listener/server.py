"""The listener: bound, announced, drained (C-1)."""

from __future__ import annotations

import asyncio
import resource
import select
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from ....adapters.logs import logger
from ...collector import collect_while_serving
from ...signals import stop_asked
from .listeners import Listener, OpenListener
from .patience import PATIENCE

if TYPE_CHECKING:
    from ....adapters.meters import Meters

# What a process opens beside its clients' connections: the store, the log, providers.
_OTHER_FILES = 256
# From a connection to the bytes of its request takes the loop a few turns; then all is let in.
_CALM_TURNS = 10
_LET_IN_SECONDS = 1.0
_log = logger("watchword.server")


async def serve(
    listeners: Sequence[Listener],
    *,
    drain_timeout: float,
    listening: Callable[[Sequence[int]], None],
    meters: Meters | None = None,
) -> None:
    """
    Serve until SIGTERM or SIGINT, then take no more connections and answer what is under way.

    `drain_timeout` is in seconds, and so long at most does that take. `listening` is called with the
    ports once they are bound. Raises `SettingsError` when nobody can be listened to at one of them.
    """
    stop = stop_asked()
    asyncio.get_running_loop().set_exception_handler(log_uncaught)
    collect_while_serving()
    async with open_listeners(*listeners, drain_timeout=drain_timeout, meters=meters) as bound:
        listening(bound)
        await stop.wait()
        _log.info("draining", seconds=drain_timeout)


@asynccontextmanager
async def open_listeners(
    *listeners: Listener, drain_timeout: float, meters: Meters | None = None
) -> AsyncIterator[Sequence[int]]:
    """
    Listen until the end of the block, then answer what is under way; gives the ports.

    Raises `SettingsError` when nobody can be listened to at one of them.
    """
    wanted = sum(each.app[PATIENCE].connections for each in listeners)
    # If the process may not open so many files, each listener gets its share of them.
    share = _room_for(wanted) / wanted
    opened = [await OpenListener.of(each, drain_timeout, share) for each in listeners]
    try:
        for each in opened:
            await each.bind()
        if meters is not None:
            meters.watch_connections(lambda: sum(each.connections for each in opened))
        yield [each.port for each in opened]
        await _let_in([server for each in opened for server in each.servers])
    finally:
        for each in opened:
            each.close()
        # aiohttp waits for its time-out twice: for the answers, and for what has not ended even then.
        with suppress(TimeoutError):
            async with asyncio.timeout(drain_timeout):
                await asyncio.gather(*(each.drain() for each in opened))
        for each in opened:
            await each.end()


async def _let_in(servers: Sequence[asyncio.Server]) -> None:
    """Take in what was sent before the signal: closing a listener resets all that waits at it (D-32)."""
    waiting = select.poll()
    for each in servers:
        for at in each.sockets:
            waiting.register(at.fileno(), select.POLLIN)
    loop = asyncio.get_running_loop()
    until = loop.time() + _LET_IN_SECONDS
    calm = 0
    while calm < _CALM_TURNS and loop.time() < until:
        await asyncio.sleep(0)
        calm = 0 if waiting.poll(0) else calm + 1


def log_uncaught(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what nothing caught; the loop's own words show arguments, and texts of errors (C-31)."""
    error = context.get("exception")
    _log.error("uncaught_error", about=None if error else context["message"], exc_info=error)


def _room_for(connections: int) -> int:
    """Raise the limit on open files to what so many connections need, and give how many fit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, allowed - _OTHER_FILES)
