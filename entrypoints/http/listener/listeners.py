"""Listeners: each binds a port for one application, serves it, and drains it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from aiohttp import web
from attrs import evolve, field, frozen

from ...listening import listening_on
from .client_address import TRUSTED_PROXIES
from .connections import NEW_REQUEST_ID, Connections
from .fast_router import FastRouter
from .incoming_requests import request_factory
from .own_answers import OWN_ANSWERS
from .patience import PATIENCE, Patience

_BACKLOG = 1024


@frozen
class Listener:
    """
    An application and its address; `flag` is the option that chose the port.

    `sockets` that are bound already replace `host` and `port`; other processes may share them.
    """

    app: web.Application
    host: str
    port: int
    flag: str
    sockets: Sequence[socket.socket] = field(factory=tuple)


class OpenListener:
    """A listener from the start of its application to the end of its connections."""

    def __init__(
        self, listener: Listener, runner: web.AppRunner, server: web.Server, patience: Patience
    ) -> None:
        self._listener = listener
        self._runner = runner
        self._server = server
        trusted = listener.app[TRUSTED_PROXIES]
        self._accepted = Connections(
            server, patience, listener.app[OWN_ANSWERS], listener.app[NEW_REQUEST_ID], trusted
        )
        self._watch = asyncio.create_task(self._accepted.watch())
        self.servers: Sequence[asyncio.Server] = ()

    @classmethod
    async def of(cls, listener: Listener, drain_timeout: float, share: float) -> OpenListener:
        """Start a listener's application; `share` is the part of its connections that it has files for."""
        runner = web.AppRunner(listener.app, shutdown_timeout=drain_timeout)
        await runner.setup()
        server = runner.server
        assert server is not None  # noqa: S101  set-up made it
        server.request_factory = request_factory(server.request_factory)
        server.request_handler = FastRouter(listener.app, server.request_handler)  # type: ignore[assignment]  # its factory makes no other requests
        patience = listener.app[PATIENCE]
        room = max(1, int(patience.connections * share))
        return cls(listener, runner, server, evolve(patience, connections=room))

    @property
    def connections(self) -> int:
        """How many are open."""
        return len(self._server.connections)

    @property
    def port(self) -> int:
        """The port that it is bound to."""
        return int(self.servers[0].sockets[0].getsockname()[1])

    async def bind(self) -> None:
        """Accept connections; raise `SettingsError` if the address cannot be bound."""
        listener = self._listener
        create = partial(
            asyncio.get_running_loop().create_server, self._accepted.accept, backlog=_BACKLOG
        )
        with listening_on(listener.host, listener.port, listener.flag):
            self.servers = [await create(sock=each) for each in listener.sockets] or [
                await create(listener.host, listener.port)
            ]

    def close(self) -> None:
        """Accept no more connections."""
        for each in self.servers:
            each.close()

    async def drain(self) -> None:
        """Answer the requests under way."""
        await self._runner.cleanup()

    async def end(self) -> None:
        """Stop watching the connections."""
        self._watch.cancel()
        with suppress(asyncio.CancelledError):
            await self._watch
