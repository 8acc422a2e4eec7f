"""A receiver of callbacks on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from attrs import define, field, frozen
from standardwebhooks.webhooks import Webhook

from tests.entrypoints.caller import Caller


@frozen
class Came:
    """A callback as it came."""

    headers: Mapping[str, str]
    body: bytes

    @property
    def id(self) -> str:
        """Its id."""
        return self.headers["webhook-id"]

    @property
    def said(self) -> dict[str, Any]:
        """Return the content of the callback."""
        return dict(json.loads(self.body))

    def verified(self, secret: str) -> Any:
        """Return the content, once the library of Standard Webhooks has verified it."""
        return Webhook(secret).verify(self.body, dict(self.headers))


@define
class Receiver:
    """Takes callbacks at `url`, and answers `status` with `says`."""

    url: str = ""
    status: int = 204
    says: str = ""
    came: list[Came] = field(factory=list)
    _news: asyncio.Event = field(factory=asyncio.Event)

    async def handle(self, request: web.BaseRequest) -> web.Response:
        """Take one."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.came.append(Came(headers, await request.read()))
        self._news.set()
        return web.Response(status=self.status, text=self.says or None)

    async def until(self, count: int) -> list[Came]:
        """Wait until so many have come; `TimeoutError` after 20 s."""
        async with asyncio.timeout(20):
            while len(self.came) < count:
                self._news.clear()
                await self._news.wait()
        return self.came

    @property
    def types(self) -> list[str]:
        """The types of the received events, in order."""
        return [each.said["type"] for each in self.came]


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """Receive for a block."""
    receiver = Receiver()
    server = web.Server(receiver.handle)
    started = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0)
    receiver.url = f"http://127.0.0.1:{started.sockets[0].getsockname()[1]}/told"
    try:
        yield receiver
    finally:
        started.close()
        await server.shutdown(1)


async def endpoint(caller: Caller, receiver: Receiver, **options: Any) -> dict[str, Any]:
    """Make an endpoint of the demo account."""
    made = await caller.operate("POST", "/callbacks", {"url": receiver.url, **options})
    assert 201 == made.status, made.body
    return dict(made.json)
