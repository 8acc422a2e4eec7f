"""Doors of the listener: an application each, bound, open, closed."""

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
from .front import Front
from .incoming_requests import request_factory
from .patience import PATIENCE, Patience

_BACKLOG = 1024


@frozen
class Door:
    """
    An application and where it is reached; `flag` is what chose the port.

    Sockets that are bound already, and may be other processes' too, take the place of `host` and
    `port`.
    """

    app: web.Application
    host: str
    port: int
    flag: str
    sockets: Sequence[socket.socket] = field(factory=tuple)


class OpenDoor:
    """A door from its application's start to the end of its connections."""

    def __init__(
        self, door: Door, runner: web.AppRunner, server: web.Server, patience: Patience
    ) -> None:
        self._door = door
        self._runner = runner
        self._server = server
        trusted = door.app[TRUSTED_PROXIES]
        self._accepted = Connections(server, patience, door.app[NEW_REQUEST_ID], trusted)
        self._watch = asyncio.create_task(self._accepted.watch())
        self.servers: Sequence[asyncio.Server] = ()

    @classmethod
    async def of(cls, door: Door, drain_timeout: float, share: float) -> OpenDoor:
        """Start a door's application; `share` is how much of its connections there are files for."""
        runner = web.AppRunner(door.app, shutdown_timeout=drain_timeout)
        await runner.setup()
        server = runner.server
        assert server is not None  # noqa: S101  set-up made it
        server.request_factory = request_factory(server.request_factory)
        server.request_handler = Front(door.app, server.request_handler)  # type: ignore[assignment]  # its factory makes no other requests
        patience = door.app[PATIENCE]
        room = max(1, int(patience.connections * share))
        return cls(door, runner, server, evolve(patience, connections=room))

    @property
    def connections(self) -> int:
        """How many are open."""
        return len(self._server.connections)

    @property
    def port(self) -> int:
        """The port that it is bound to."""
        return int(self.servers[0].sockets[0].getsockname()[1])

    async def bind(self) -> None:
        """Take connections; raises `SettingsError` where that cannot be."""
        door = self._door
        create = partial(
            asyncio.get_running_loop().create_server, self._accepted.accept, backlog=_BACKLOG
        )
        with listening_on(door.host, door.port, door.flag):
            self.servers = [await create(sock=each) for each in door.sockets] or [
                await create(door.host, door.port)
            ]

    def close(self) -> None:
        """Take no more connections."""
        for each in self.servers:
            each.close()

    async def drain(self) -> None:
        """Answer what is under way."""
        await self._runner.cleanup()

    async def end(self) -> None:
        """Watch the connections no more."""
        self._watch.cancel()
        with suppress(asyncio.CancelledError):
            await self._watch
