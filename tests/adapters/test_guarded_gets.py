"""Files at URLs of strangers are fetched, and nothing from inside the network (C-25, C-47, R30)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from ipaddress import IPv4Address
from urllib.parse import quote

import pytest
from aiohttp import web
from attrs import define, field

from tests.adapters.test_guarded_web import PRIVATE, Listener, guarded, listener, named, opened
from watchword.adapters.guarded_web import GuardedWeb
from watchword.adapters.public_addresses import is_public_or_own
from watchword.application.ports.web import WebError, WebFailure

__all__ = ["guarded", "listener", "opened"]

SHOP = "127.0.0.99"
PICTURE = bytes(range(256)) * 1_000


@define
class Shop:
    """A web server whose paths answer as its headers and bodies say."""

    port: int = 0
    headers: Mapping[str, str] = field(factory=dict)
    asked: list[web.BaseRequest] = field(factory=list)

    def url(self, path: str, host: str = SHOP) -> str:
        """Return the address of a path."""
        return f"http://{host}:{self.port}{path}"

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer."""
        self.asked.append(request)
        path, _, rest = request.path.removeprefix("/").partition("/")
        if path.startswith("to"):
            code = int(path.removeprefix("to") or 302)
            return web.Response(status=code, headers={"Location": request.query["url"]})
        if path == "status":
            return web.Response(status=int(rest))
        if path == "loop":
            return web.Response(status=302, headers={"Location": f"/loop/{len(self.asked)}"})
        return web.Response(body=PICTURE, headers={"Content-Type": "image/png", **self.headers})


@pytest.fixture
async def shop() -> AsyncIterator[Shop]:
    """Yield a shop."""
    open_shop = Shop()
    server = web.Server(open_shop.handle)
    started = await asyncio.get_running_loop().create_server(server, SHOP, 0)
    open_shop.port = started.sockets[0].getsockname()[1]
    yield open_shop
    started.close()
    await server.shutdown(0)


async def content(guard: GuardedWeb, url: str) -> bytes:
    """Get all that stands at a URL."""
    async with guard.get(url) as found:
        return b"".join([chunk async for chunk in found.chunks])


async def failure(guard: GuardedWeb, url: str) -> WebFailure:
    """Return what a get fails with."""
    with pytest.raises(WebError) as error:
        await content(guard, url)
    return error.value.failure


async def test_content_is_fetched(opened: GuardedWeb, shop: Shop) -> None:
    """With its type; nothing of this machine goes along, and nothing coded is asked for."""
    async with opened.get(shop.url("/picture")) as found:
        assert PICTURE == b"".join([chunk async for chunk in found.chunks])
    (asked,) = shop.asked

    assert "image/png" == found.content_type
    assert "identity" == asked.headers["Accept-Encoding"]
    assert {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"} >= set(asked.headers)


async def test_private_forms_are_refused_without_a_connection(
    guarded: GuardedWeb, listener: Listener
) -> None:
    """In any spelling."""
    for form in PRIVATE:
        url = form.replace("{port}", str(listener.port))
        assert WebFailure.ADDRESS_REFUSED == await failure(guarded, url), url

    assert 0 == listener.connections


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
async def test_no_redirect_leads_into_private_space(
    shop: Shop, listener: Listener, code: int
) -> None:
    """Each URL on the way is checked like the first, in any spelling."""
    # For once the shop's is a public address.
    guard = GuardedWeb(lambda address: address == IPv4Address(SHOP), named)
    for form in PRIVATE:
        inside = form.replace("{port}", str(listener.port))
        # A relative URL leads to the shop again.
        with suppress(WebError):
            await content(guard, shop.url(f"/to{code}?url={quote(inside)}"))
    await guard.close()

    assert len(PRIVATE) <= len(shop.asked)
    assert 0 == listener.connections


async def test_redirects_are_followed(opened: GuardedWeb, shop: Shop) -> None:
    """Relative ones too, and five of them."""
    path = "/picture"
    for _ in range(5):
        path = f"/to?url={quote(path)}"

    assert PICTURE == await content(opened, shop.url(path))
    assert WebFailure.TOO_MANY_REDIRECTS == await failure(
        opened, shop.url(f"/to?url={quote(path)}")
    )
    assert WebFailure.TOO_MANY_REDIRECTS == await failure(opened, shop.url("/loop/0"))


async def test_a_redirect_out_of_the_web_is_refused(opened: GuardedWeb, shop: Shop) -> None:
    """To files, to other schemes, and to a URL with a user."""
    for url in ("file:///etc/passwd", "ftp://a.example/", "http://a@127.0.0.1/", "http://[::1"):
        found = await failure(opened, shop.url(f"/to?url={quote(url)}"))
        assert WebFailure.ADDRESS_REFUSED == found, url


@pytest.mark.parametrize("status", [201, 204, 206, 304, 400, 404, 500])
async def test_nothing_but_200_is_content(opened: GuardedWeb, shop: Shop, status: int) -> None:
    """A part, or an error's text, is none."""
    assert WebFailure.STATUS == await failure(opened, shop.url(f"/status/{status}"))


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, identity", "x"])
async def test_nothing_is_unpacked(opened: GuardedWeb, shop: Shop, coding: str) -> None:
    """A thousandfold bomb is not read: an answer with a coding that was not requested is refused."""
    shop.headers = {"Content-Encoding": coding}

    assert WebFailure.CODED == await failure(opened, shop.url("/picture"))


async def test_an_answer_that_flips_gains_nothing(shop: Shop, listener: Listener) -> None:
    """The connection goes to the address that was checked, between redirects too."""
    asked = 0

    async def flipping(_: str) -> Sequence[str]:
        nonlocal asked
        asked += 1
        return ["127.0.0.1" if asked % 2 == 0 else SHOP]

    guard = GuardedWeb(lambda address: address == IPv4Address(SHOP), flipping)
    again = quote(f"http://flip.example:{listener.port}/inside")
    for _ in range(50):
        url = shop.url(f"/to?url={again}", "flip.example")
        assert WebFailure.ADDRESS_REFUSED == await failure(guard, url)
    await guard.close()

    assert 100 == asked
    assert 0 == listener.connections


@asynccontextmanager
async def talking(
    talk: Callable[[asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[tuple[str, asyncio.Event]]:
    """Serve what is said after each request; returns the URL, and whether it was broken off."""
    broken_off = asyncio.Event()

    async def said(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            await talk(writer)
        except OSError:
            broken_off.set()
        finally:
            writer.close()

    server = await asyncio.start_server(said, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", broken_off
    server.close()


async def endless(writer: asyncio.StreamWriter) -> None:
    """Send without an end."""
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        await writer.drain()


async def dripping(writer: asyncio.StreamWriter) -> None:
    """Send a byte now and then, for ever."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


async def cut_off(writer: asyncio.StreamWriter) -> None:
    """Promise more than is sent."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\ntea")
    await writer.drain()


async def test_who_reads_decides_when_it_is_enough(opened: GuardedWeb) -> None:
    """An endless body is broken off."""
    async with talking(endless) as (url, broken_off):
        received = 0
        async with opened.get(url) as found:
            async for chunk in found.chunks:
                received += len(chunk)
                if received > 2**20:
                    break
        async with asyncio.timeout(10):
            await broken_off.wait()

    assert received < 2**21


async def test_a_slow_drip_ends_with_the_deadline() -> None:
    """The whole answer has one deadline."""
    guard = GuardedWeb(is_public_or_own, named, get_seconds=0.2)
    async with talking(dripping) as (url, _):
        assert WebFailure.TIMEOUT == await failure(guard, url)
    await guard.close()


async def test_a_body_that_is_cut_off_is_told(opened: GuardedWeb) -> None:
    """It is not the whole."""
    async with talking(cut_off) as (url, _):
        assert WebFailure.NO_ANSWER == await failure(opened, url)


async def test_silence_ends_with_the_deadline(listener: Listener) -> None:
    """Silence within the head, too."""
    listener.silent = True
    guard = GuardedWeb(is_public_or_own, named, get_seconds=0.1)

    assert WebFailure.TIMEOUT == await failure(guard, f"http://127.0.0.1:{listener.port}/")
    await guard.close()
