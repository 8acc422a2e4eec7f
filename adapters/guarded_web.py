"""HTTP calls to URLs from clients: every address is checked before it is connected to (C-25)."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress

import aiohttp
from yarl import URL

from ..application.ports.web import WebAnswer, WebContent, WebError, WebFailure
from .callable_urls import NO_HOST, host_of
from .checked_addresses import AddressRefused, CheckedAddresses, CheckedResolver, LookUp
from .never_repeated import sent_once
from .public_addresses import Address, is_address

CALL_SECONDS = 15.0
GET_SECONDS = 60.0
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_LOOK_UP_SECONDS = 5.0
_BEGINNING_SECONDS = 1.0
_CODING = ("Content-Encoding", "identity")

_PRIVATE = (
    "must have a public address. A service calls others with --allow-private-urls alone, and an"
    " embedded one with allow_private_urls=True"
)


class GuardedWeb:
    """
    Calls URLs with a client that keeps no state: no proxy, cookie or open connection.

    The HTTP client follows no redirects: each target is another URL to check, which `get` does.
    `allowed` says which addresses may be connected to. `look_up` resolves a name once for each call.
    """

    def __init__(
        self,
        allowed: Callable[[Address], bool],
        look_up: LookUp | None = None,
        seconds: float = CALL_SECONDS,
        get_seconds: float = GET_SECONDS,
    ) -> None:
        self._addresses = CheckedAddresses(allowed, look_up)
        self._seconds = seconds
        self._get_seconds = get_seconds
        self._session: aiohttp.ClientSession | None = None

    async def refusal(self, url: str) -> str | None:
        """Return what is wrong with a URL; None if it may be called."""
        try:
            host = host_of(url)
            async with asyncio.timeout(_LOOK_UP_SECONDS):
                await self._addresses.of(host)
        except AddressRefused:
            return _PRIVATE
        except UnicodeError:
            return NO_HOST
        except ValueError as error:
            return str(error)
        except (OSError, TimeoutError):
            return None
        return None

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes, most: int = 0
    ) -> WebAnswer:
        """Post a body; return the status of the answer, and the beginning of a refusal."""
        with _failures_translated():
            self._check_host(url)
            async with self._client().post(
                url, data=body, headers=headers, allow_redirects=False
            ) as answer:
                refused = most > 0 and not 200 <= answer.status < 300
                return WebAnswer(answer.status, await _beginning(answer, most) if refused else b"")

    async def exchange(
        self, url: str, headers: Mapping[str, str], body: bytes, most: int
    ) -> WebAnswer:
        """Post a body; return the status and the beginning of the answer."""
        with _failures_translated():
            self._check_host(url)
            async with self._client().post(
                url, data=body, headers=headers, allow_redirects=False
            ) as answer:
                content = b""
                while len(content) < most and (chunk := await answer.content.read(most)):
                    content += chunk
                return WebAnswer(answer.status, content[:most])

    @asynccontextmanager
    async def get(self, url: str) -> AsyncIterator[WebContent]:
        """Get the content of a URL; follows at most five redirects."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._get_seconds
        answer = await self._answer(url, until)
        try:
            yield WebContent(answer.headers.get("Content-Type"), _content(answer, until))
        finally:
            # Drops the unread rest of the body.
            answer.close()

    async def _answer(self, url: str, until: float) -> aiohttp.ClientResponse:
        with _failures_translated():
            for _ in range(1 + _MOST_REDIRECTS):
                self._check_host(url)
                async with asyncio.timeout_at(until):
                    answer = await self._client().get(
                        url,
                        headers={"Accept-Encoding": "identity"},
                        allow_redirects=False,
                        timeout=aiohttp.ClientTimeout(connect=self._seconds),
                    )
                if answer.status == 200 and answer.headers.get(*_CODING).lower() == "identity":
                    return answer
                answer.close()
                if answer.status == 200:
                    raise WebError(WebFailure.CODED)
                if answer.status not in _REDIRECTS or "Location" not in answer.headers:
                    raise WebError(WebFailure.STATUS)
                url = str(URL(url).join(URL(answer.headers["Location"])))
            raise WebError(WebFailure.TOO_MANY_REDIRECTS)

    def _check_host(self, url: str) -> None:
        host = host_of(url)
        if is_address(host):
            # The HTTP client resolves no addresses, so `CheckedResolver` never sees them.
            self._addresses.check([host])

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
        self._addresses.close()

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    resolver=CheckedResolver(self._addresses),
                    use_dns_cache=False,
                    # The callers bound the number of connections.
                    limit=0,
                    force_close=True,
                    socket_factory=self._addresses.new_socket,
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": "Watchword"},
                timeout=aiohttp.ClientTimeout(total=self._seconds),
                middlewares=(sent_once,),
                auto_decompress=False,
                trust_env=False,
            )
        return self._session


async def _beginning(answer: aiohttp.ClientResponse, most: int) -> bytes:
    """Return the first bytes that arrive soon; the status counts, whatever becomes of the rest."""
    content = b""
    if answer.headers.get(*_CODING).lower() != "identity":
        return content
    with suppress(TimeoutError, aiohttp.ClientError, OSError):
        async with asyncio.timeout(_BEGINNING_SECONDS):
            while len(content) < most and (chunk := await answer.content.read(most)):
                content += chunk
    return content[:most]


async def _content(answer: aiohttp.ClientResponse, until: float) -> AsyncIterator[bytes]:
    while True:
        with _failures_translated():
            async with asyncio.timeout_at(until):
                chunk = await answer.content.readany()
        if not chunk:
            return
        yield chunk


@contextmanager
def _failures_translated() -> Iterator[None]:
    try:
        yield
    except WebError:
        raise
    except Exception as error:
        raise WebError(_kind_of(error)) from None


def _kind_of(error: Exception) -> WebFailure:
    inner = getattr(error, "os_error", error)
    if isinstance(inner, AddressRefused) or isinstance(error, ValueError):
        return WebFailure.ADDRESS_REFUSED
    if isinstance(error, TimeoutError):
        return WebFailure.TIMEOUT
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return WebFailure.NAME_UNKNOWN
    if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        return WebFailure.TLS_FAILED
    if isinstance(error, aiohttp.ClientConnectorError):
        return WebFailure.CONNECTION_FAILED
    return WebFailure.NO_ANSWER
