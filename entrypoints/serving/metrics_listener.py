"""A listener for the metrics: `/metrics` on its own port, and nothing else (T29)."""

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
from ..http.unrouted_answers import UnroutedAnswers

# Few clients read metrics, every few seconds; a flood of them must not use up the open files.
_PATIENCE = Patience(head=5.0, body=5.0, answer=15.0, idle=30.0, connections=32)
_DRAIN_SECONDS = 1.0


@asynccontextmanager
async def metrics_served(
    meters: Meters, host: str, port: int, sockets: Sequence[socket] = ()
) -> AsyncIterator[int]:
    """
    Serve the metrics until the end of the block, and yield the port; raise `SettingsError`.

    Sockets that are bound already replace `host` and `port`.
    """

    async def metrics(_: web.Request) -> web.Response:
        # Several hundred lines take a while to write; requests must not wait for them.
        text = await asyncio.to_thread(meters.exposition)
        return web.Response(body=text, headers={CONTENT_TYPE: EXPOSITION_TYPE})

    app = web.Application()
    app.router.add_get("/metrics", metrics)
    app[PATIENCE] = _PATIENCE
    app[TRUSTED_PROXIES] = ()
    app[OWN_ANSWERS] = UnroutedAnswers()
    app[NEW_REQUEST_ID] = lambda: f"req_{uuid4().hex}"
    listener = Listener(app, host, port, "--metrics-port", sockets)
    async with open_listeners(listener, drain_timeout=_DRAIN_SECONDS) as (bound,):
        yield bound
