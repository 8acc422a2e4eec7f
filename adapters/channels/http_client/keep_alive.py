"""Keep-alive HTTP clients, one per channel account; no client repeats or redirects a request (C-99)."""

from __future__ import annotations

import asyncio
import ssl
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO

import aiohttp
from attrs import define

from ....application.ports.channels import Fault
from ...checked_addresses import CheckedAddresses, CheckedResolver
from ...never_repeated import RequestCutError, sent_once
from .exchanges import Answer, Request
from .failures import CONNECT_SECONDS, NotSentError, not_connected

IDLE_SECONDS = 15.0
MOST_ANSWER = 64 * 1024
MOST_CLIENTS = 256
_AT_ONCE = 64 * 1024
# The caller cancels earlier; this ends a call whose caller set no limit.
LONGEST_CALL = 30.0
_NO_CLIENT = "Too many channel accounts send at once in this process. Start more processes."


@define
class _Client:
    session: aiohttp.ClientSession
    calls: int = 0


class KeepAliveClients:
    """
    Calls providers; a channel account's calls share its connections, which idle for 15 seconds.

    A client has no proxy, cookies or redirects, and reads at most 64 KiB of an answer. Each address is
    checked when it is connected to. Certificates are verified. The channel account that was used
    longest ago loses its client when there are too many.
    """

    def __init__(self, addresses: CheckedAddresses) -> None:
        self._addresses = addresses
        self._clients: OrderedDict[str, _Client] = OrderedDict()
        self._tls: asyncio.Task[ssl.SSLContext] | None = None

    async def call(self, channel_account_id: str, request: Request) -> Answer:
        """
        Send a request once, and read its answer.

        Raises `NotSentError` if nothing was written, `RequestCutError` if the connection was cut later,
        and `TimeoutError`.
        """
        tls = await self.tls() if request.url.scheme == "https" else True
        async with self._client(channel_account_id) as session:
            try:
                async with session.request(
                    request.method,
                    request.url,
                    headers=request.headers,
                    data=_payload(request.body),
                    allow_redirects=False,
                    ssl=tls,
                ) as answer:
                    body = await _read(answer)
                    return Answer(status=answer.status, headers=answer.headers, body=body)
            except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
                raise not_connected(error, request.url.host or "", request.url.port or 0) from None
            except aiohttp.SocketTimeoutError:
                raise TimeoutError from None
            except aiohttp.ClientError as error:
                raise RequestCutError(type(error).__name__) from None

    async def tls(self) -> ssl.SSLContext:
        """Return the TLS settings; they are read once, on a thread, because certificates are files."""
        if self._tls is None:
            self._tls = asyncio.create_task(asyncio.to_thread(ssl.create_default_context))
        return await asyncio.shield(self._tls)

    async def close(self) -> None:
        """Close all connections."""
        while self._clients:
            _, client = self._clients.popitem()
            await client.session.close()

    @asynccontextmanager
    async def _client(self, channel_account_id: str) -> AsyncIterator[aiohttp.ClientSession]:
        if channel_account_id not in self._clients and len(self._clients) >= MOST_CLIENTS:
            await self._close_one()
        client = self._clients.get(channel_account_id)
        if client is None:
            client = self._clients[channel_account_id] = _Client(self._session())
        self._clients.move_to_end(channel_account_id)
        client.calls += 1
        try:
            yield client.session
        finally:
            client.calls -= 1

    async def _close_one(self) -> None:
        for name, client in self._clients.items():
            if not client.calls:
                del self._clients[name]
                await client.session.close()
                return
        raise NotSentError("no_connection_free", _NO_CLIENT, Fault.BUSY)

    def _session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=CheckedResolver(self._addresses),
                use_dns_cache=False,
                # The callers bound the number of connections.
                limit=0,
                keepalive_timeout=IDLE_SECONDS,
                socket_factory=self._addresses.new_socket,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": "Watchword", "Accept-Encoding": "identity"},
            timeout=aiohttp.ClientTimeout(total=LONGEST_CALL, connect=CONNECT_SECONDS),
            middlewares=(sent_once,),
            trust_env=False,
        )


def _payload(body: bytes | None) -> bytes | BytesIO | None:
    """Return a body; a large one is written piece by piece, so that it holds up no other call."""
    return body if body is None or len(body) <= _AT_ONCE else BytesIO(body)


async def _read(answer: aiohttp.ClientResponse) -> bytes | None:
    """Return the body of an answer; None if it is too long, and then the connection is closed."""
    parts: list[bytes] = []
    size = 0
    while part := await answer.content.readany():
        parts.append(part)
        size += len(part)
        if size > MOST_ANSWER:
            answer.close()
            return None
    return b"".join(parts)
