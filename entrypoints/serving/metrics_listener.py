"""The metrics' own listener: `/metrics` on a port of its own, and nothing else (T29)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from socket import socket
from uuid import uuid4

from aiohttp import web
from aiohttp.hdrs import CONTENT_TYPE

from ...adapters.meters import EXPOSITION_TYPE, Meters
from ..http.listener.client_address import TRUSTED_PROXIES
from ..http.listener.connections import NEW_REQUEST_ID
from ..http.listener.listeners import Listener
from ..http.listener.own_answers import OWN_ANSWERS
from ..http.listener.patience import PATIENCE, Patience
from ..http.listener.server import open_listeners
from ..http.listener_answers import ListenerAnswers

# Those who read metrics are few, near, and come back in seconds; the files of all others are not theirs.
_PATIENCE = Patience(head=5.0, body=5.0, answer=15.0, idle=30.0, connections=32)
_DRAIN_SECONDS = 1.0


@asynccontextmanager
async def metrics_served(
    meters: Meters, host: str, port: int, sockets: Sequence[socket] = ()
) -> AsyncIterator[int]:
    """
    Serve the metrics until the end of the block, and give the port; raises `SettingsError`.

    Sockets that are bound already take the place of `host` and `port`.
    """

    async def metrics(_: web.Request) -> web.Response:
        # Some hundred lines take a while to write, which no request should have to wait for.
        text = await asyncio.to_thread(meters.exposition)
        return web.Response(body=text, headers={CONTENT_TYPE: EXPOSITION_TYPE})

    app = web.Application()
    app.router.add_get("/metrics", metrics)
    app[PATIENCE] = _PATIENCE
    app[TRUSTED_PROXIES] = ()
    app[OWN_ANSWERS] = ListenerAnswers()
    app[NEW_REQUEST_ID] = lambda: f"req_{uuid4().hex}"
    listener = Listener(app, host, port, "--metrics-port", sockets)
    async with open_listeners(listener, drain_timeout=_DRAIN_SECONDS) as (bound,):
        yield bound
