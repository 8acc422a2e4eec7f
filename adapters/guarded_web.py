"""The web for URLs that strangers write: every address is looked at, and no other is connected to (C-25)."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from functools import partial

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from ..application.ports.web import WebContent, WebError, WebFailure
from .public_addresses import Address, address_in

CALL_SECONDS = 15.0
GET_SECONDS = 60.0
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_LOOK_UP_SECONDS = 5.0
# A name server that hangs holds a thread: these are the service's own, and enough for several of them.
_LOOK_UPS = 64
_CODING = ("Content-Encoding", "identity")
_SCHEMES = ("http", "https")
# Printable ASCII without what parsers disagree about; other names have an ASCII form.
_PLAIN = re.compile(r"[!-\[\]-~]+")
# What a browser, and some resolver, would read as an IPv4 address.
_NUMERIC = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)")

# Gives the addresses of a name, as texts; raises `OSError`.
LookUp = Callable[[str], Awaitable[Sequence[str]]]
_PRIVATE = "must have a public address"
_NO_HOST = "must have a host that names can be looked up by"


class AddressRefused(OSError):
    """An address is not one that may be connected to; none of the name's is."""


class GuardedWeb:
    """
    Calls with a client that has nothing of its own: no proxy, cookie or kept connection.

    Redirects are no business of the client's: each is a URL that a stranger wrote.

    `allowed` says which addresses may be connected to. `look_up` finds those of a name, once for each
    call: what it gave is looked at, and connected to.
    """

    def __init__(
        self,
        allowed: Callable[[Address], bool],
        look_up: LookUp | None = None,
        seconds: float = CALL_SECONDS,
        get_seconds: float = GET_SECONDS,
    ) -> None:
        self._allowed = allowed
        self._seconds = seconds
        self._get_seconds = get_seconds
        self._threads = ThreadPoolExecutor(_LOOK_UPS, "look-up") if look_up is None else None
        self._asking: dict[str, asyncio.Future[Sequence[str]]] = {}
        self._look_up = look_up or self._ask_the_system
        self._session: aiohttp.ClientSession | None = None

    async def refusal(self, url: str) -> str | None:
        """Say what is wrong with a URL."""
        try:
            host = host_of(url)
            async with asyncio.timeout(_LOOK_UP_SECONDS):
                await self.addresses(host)
        except AddressRefused:
            return _PRIVATE
        except UnicodeError:
            return _NO_HOST
        except ValueError as error:
            return str(error)
        except (OSError, TimeoutError):
            return None
        return None

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Post, and give the status of the answer."""
        with _failures_told():
            self._check_host(url)
            async with self._client().post(
                url, data=body, headers=headers, allow_redirects=False
            ) as answer:
                return answer.status

    @asynccontextmanager
    async def get(self, url: str) -> AsyncIterator[WebContent]:
        """Get what stands at a URL."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._get_seconds
        answer = await self._answer(url, until)
        try:
            yield WebContent(answer.headers.get("Content-Type"), _content(answer, until))
        finally:
            # Whatever is left of it is wanted no more.
            answer.close()

    async def _answer(self, url: str, until: float) -> aiohttp.ClientResponse:
        with _failures_told():
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
        if _is_address(host):
            # The client asks no resolver for these.
            self._check([host])

    async def addresses(self, host: str) -> Sequence[str]:
        """Give the addresses of a host; raises `AddressRefused` where one of them must not be called."""
        if _is_address(host):
            found: Sequence[str] = [host]
        else:
            # Of these names no name server has to say anything (RFC 6761).
            local = f".{host.rstrip('.').lower()}".endswith(".localhost")
            found = await self._look_up("localhost" if local else host)
        if not found:
            raise OSError("The name has no address.")
        self._check(found)
        return found

    async def close(self) -> None:
        """Give up all connections."""
        if self._session is not None:
            await self._session.close()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    def _check(self, addresses: Sequence[str]) -> None:
        if not all(self._allowed(address_in(each)) for each in addresses):
            raise AddressRefused("The address is not public.")

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    resolver=_CheckedResolver(self),
                    use_dns_cache=False,
                    # Whoever calls bounds them.
                    limit=0,
                    force_close=True,
                    socket_factory=self._socket,
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": "Watchword"},
                timeout=aiohttp.ClientTimeout(total=self._seconds),
                auto_decompress=False,
                trust_env=False,
            )
        return self._session

    def _socket(self, address: aiohttp.AddrInfoType) -> socket.socket:
        # The last look, on whatever way an address came here.
        family, kind, protocol, _, (host, *_) = address
        self._check([str(host)])
        return socket.socket(family, kind, protocol)

    async def _ask_the_system(self, host: str) -> Sequence[str]:
        asking = self._asking.get(host)
        if asking is None:
            asking = asyncio.get_running_loop().run_in_executor(self._threads, _addresses_of, host)
            self._asking[host] = asking
            asking.add_done_callback(partial(self._asked, host))
        # Whoever gives up leaves the thread where it is: calls of one name share one, and what it finds.
        return await asyncio.shield(asking)

    def _asked(self, host: str, asking: asyncio.Future[Sequence[str]]) -> None:
        del self._asking[host]
        if not asking.cancelled():
            # It is told to those who still wait; where nobody does, it is no news.
            asking.exception()


class _CheckedResolver(AbstractResolver):
    """What the client connects to: what was looked up for this connection, all of it checked."""

    def __init__(self, web: GuardedWeb) -> None:
        self._web = web

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Give the addresses of a name."""
        found = [(each, _family(each)) for each in await self._web.addresses(host)]
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=own,
                proto=0,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address, own in found
            if family in (own, socket.AF_UNSPEC)
        ]

    async def close(self) -> None:
        """Nothing is held open."""


async def _content(answer: aiohttp.ClientResponse, until: float) -> AsyncIterator[bytes]:
    while True:
        with _failures_told():
            async with asyncio.timeout_at(until):
                chunk = await answer.content.readany()
        if not chunk:
            return
        yield chunk


@contextmanager
def _failures_told() -> Iterator[None]:
    try:
        yield
    except WebError:
        raise
    except Exception as error:
        raise WebError(_kind_of(error)) from None


def host_of(text: str) -> str:
    """
    Give the host of a URL that can be called, which may yet have an address that may not.

    An IPv4 address is written as four decimal numbers: what else could be read as one is refused, as
    is a zone, a user, and all that parsers read in different ways. Raises `ValueError`.
    """
    if not _PLAIN.fullmatch(text):
        raise ValueError("must be a URL in printable ASCII, without blanks and backslashes")
    try:
        url = URL(text)
        host, scheme, port = url.raw_host, url.scheme, url.port
    except ValueError:
        raise ValueError("must be a URL") from None
    if scheme not in _SCHEMES or not host or not port:
        raise ValueError("must be an http or https URL with a host")
    # A user may be empty, and a percent sign may hide anything from a dot to a zone.
    authority = text.partition("://")[2]
    authority = re.split(r"[/?#]", authority, maxsplit=1)[0]
    if "@" in authority:
        raise ValueError("must not carry a user or password")
    name = host.rstrip(".").lower()
    # What stands in brackets is an IPv6 address, or parsers disagree, and some of them raise.
    if "%" in authority or not name or ("[" in authority and not _is_ipv6(host)):
        raise ValueError(_NO_HOST)
    if _NUMERIC.fullmatch(name) and not _is_address(host):
        raise ValueError("must write an address as four decimal numbers")
    return host


def _addresses_of(host: str) -> Sequence[str]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def _family(address: str) -> socket.AddressFamily:
    return socket.AF_INET if address_in(address).version == 4 else socket.AF_INET6


def _is_ipv6(host: str) -> bool:
    return ":" in host and _is_address(host)


def _is_address(host: str) -> bool:
    try:
        address_in(host)
    except ValueError:
        return False
    return True


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
