"""Keep-alive HTTP clients, one per channel account; no client repeats or redirects a request (C-99)."""

from __future__ import annotations

import asyncio
import errno
import ssl
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
from attrs import define

from ....checked_resolver import AddressRefused, CheckedAddresses, CheckedResolver
from ....never_repeated import RequestCutError, sent_once
from .outcomes import Answer
from .requests import Request

# Longer than any provider takes to accept a connection, and short enough to try another account then.
CONNECT_SECONDS = 4.0
IDLE_SECONDS = 15.0
MOST_ANSWER = 64 * 1024
MOST_CLIENTS = 256
# The caller cancels earlier; this ends a call whose caller set no limit.
LONGEST_CALL = 30.0


class NotSentError(Exception):
    """Nothing of the request was written; `code` and `words` say why."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(code)
        self.code, self.words = code, words


class NoClientError(Exception):
    """All clients are in use by other channel accounts."""


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
        `TimeoutError`, and `NoClientError`.
        """
        tls = await self.tls() if request.url.scheme == "https" else True
        async with self._client(channel_account_id) as session:
            try:
                async with session.request(
                    request.method,
                    request.url,
                    headers=request.headers,
                    data=request.body,
                    allow_redirects=False,
                    ssl=tls,
                ) as answer:
                    body = await _read(answer)
                    return Answer(status=answer.status, headers=answer.headers, body=body)
            except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
                raise not_sent(error, request.url.host or "", request.url.port or 0) from None
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
        raise NoClientError

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


def no_address(host: str) -> NotSentError:
    """Return that a name cannot be resolved."""
    return NotSentError("dns_failed", f"The name {host} has no address.")


def not_sent(error: Exception, host: str, port: int) -> NotSentError:
    """Return why no connection came about; the words name the host, and quote nothing of a send."""
    inner = getattr(error, "os_error", error)
    if isinstance(inner, AddressRefused):
        words = f"{host} has an address that is never called, such as a link-local one."
        return NotSentError("address_refused", words)
    if isinstance(error, TimeoutError):
        words = f"{host}:{port} did not take a connection within {CONNECT_SECONDS:g} s."
        return NotSentError("connect_timeout", words)
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return no_address(host)
    certificate = getattr(error, "certificate_error", error)
    if isinstance(certificate, ssl.SSLCertVerificationError):
        reason = certificate.verify_message.rstrip(".")
        words = f"The certificate of {host} is not valid: {reason}."
        return NotSentError("tls_failed", words)
    if isinstance(error, ssl.SSLError | aiohttp.ClientSSLError):
        return NotSentError("tls_failed", f"{host}:{port} does not agree on TLS.")
    number = inner.errno if isinstance(inner, OSError) else None
    kind = errno.errorcode.get(number or 0, "no connection")
    return NotSentError("connect_failed", f"{host}:{port} cannot be connected to ({kind}).")


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
