"""URLs of strangers never reach the inside of the network (C-25, C-47, R30)."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, ip_address
from typing import Any

import pytest
from aiohttp import web
from attrs import define, field

from watchword.adapters.guarded_web import GuardedWeb
from watchword.adapters.public_addresses import is_public, is_public_or_own
from watchword.application.ports.web import WebError, WebFailure

# `{port}` is where somebody listens, on every address of this machine.
PRIVATE = [
    "http://127.0.0.1:{port}/",
    "http://127.255.255.254:{port}/",
    "http://127.1:{port}/",
    "http://127.0.1:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://0x7f.0.0.1:{port}/",
    "http://0x7F.1:{port}/",
    "http://017700000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://127.0.0.1.:{port}/",
    "http://0:{port}/",
    "http://0.0.0.0:{port}/",
    "http://0.1.2.3:{port}/",
    "http://10.0.0.1:{port}/",
    "http://100.64.0.1:{port}/",
    "http://168.63.129.16:{port}/machine/",
    "http://169.254.169.254:{port}/latest/meta-data/",
    "http://172.31.255.255:{port}/",
    "http://192.168.0.1:{port}/",
    "http://192.0.2.1:{port}/",
    "http://198.18.0.1:{port}/",
    "http://203.0.113.9:{port}/",
    "http://224.0.0.1:{port}/",
    "http://255.255.255.255:{port}/",
    "http://[::1]:{port}/",
    "http://[::]:{port}/",
    "http://[0:0:0:0:0:0:0:1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[::127.0.0.1]:{port}/",
    "http://[64:ff9b::7f00:1]:{port}/",
    "http://[64:ff9b:1::7f00:1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[2001:0:7f00:1::80ff:fffe]:{port}/",
    "http://[2001:db8::1]:{port}/",
    "http://[fe80::1]:{port}/",
    "http://[fe80::1%25lo]:{port}/",
    "http://[fc00::1]:{port}/",
    "http://[fd12:3456::1]:{port}/",
    "http://[ff02::1]:{port}/",
    "http://localhost:{port}/",
    "http://LOCALHOST.:{port}/",
    "http://told.localhost:{port}/",
    "http://inside.example:{port}/",
    "http://mixed.example:{port}/",
    "http://shop.example@127.0.0.1:{port}/",
    "http://@127.0.0.1:{port}/",
    "http://127.0.0.1%2f@shop.example:{port}/",
    "http://%31%32%37.0.0.1:{port}/",
    "http://127.0.0.1\\@shop.example:{port}/",
    "http://１２７.０.０.１:{port}/",  # noqa: RUF001  their looks are the point
    "http://①②⑦.0.0.1:{port}/",
    "http://shop.example:{port}@127.0.0.1:{port}/",
    " http://127.0.0.1:{port}/",
    "http:127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "ftp://127.0.0.1:{port}/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/_GET",
    "data:text/plain,{port}",
    "http://127.0.0.1:0/",
    "http://",
    "",
]
NAMES = {
    "inside.example": ["127.0.0.1"],
    "mixed.example": ["127.0.0.2", "127.0.0.1"],
    "localhost": ["127.0.0.1", "::1"],
}


@define
class Listener:
    """A server on every address of this machine that counts connections, and answers as it is set up."""

    port: int = 0
    connections: int = 0
    requests: list[web.BaseRequest] = field(factory=list)
    status: int = 204
    headers: Mapping[str, str] = field(factory=dict)
    silent: bool = False
    may_answer: asyncio.Event = field(factory=asyncio.Event)

    async def handle(self, request: web.BaseRequest) -> web.Response:
        """Answer."""
        self.requests.append(request)
        if self.silent:
            await self.may_answer.wait()
        return web.Response(status=self.status, headers=self.headers)


@pytest.fixture
async def listener() -> AsyncIterator[Listener]:
    """Yield a listener."""
    listening = Listener()
    server = web.Server(listening.handle)

    def connected() -> asyncio.Protocol:
        listening.connections += 1
        return server()

    started = await asyncio.get_running_loop().create_server(connected, "0.0.0.0", 0)  # noqa: S104  so that any address of this machine would be answered
    listening.port = started.sockets[0].getsockname()[1]
    try:
        yield listening
    finally:
        listening.may_answer.set()
        started.close()
        await server.shutdown(0)


async def named(host: str) -> Sequence[str]:
    """Look a name up."""
    if host not in NAMES:
        raise OSError("No such name.")
    return NAMES[host]


@pytest.fixture
async def guarded() -> AsyncIterator[GuardedWeb]:
    """Yield the web as a service has it by default, with names of our own."""
    guard = GuardedWeb(is_public, named)
    yield guard
    await guard.close()


@pytest.fixture
async def opened() -> AsyncIterator[GuardedWeb]:
    """Yield the web with `--allow-private-urls`."""
    guard = GuardedWeb(is_public_or_own, named)
    yield guard
    await guard.close()


async def failure(guard: GuardedWeb, url: str) -> WebFailure:
    """Return what a call fails with."""
    with pytest.raises(WebError) as error:
        await guard.post(url, {}, b"{}")
    return error.value.failure


def test_there_are_forty_forms() -> None:
    """The promise asks for forty private forms; there are more."""
    assert len(set(PRIVATE)) >= 40


async def test_private_forms_are_refused_without_a_connection(
    guarded: GuardedWeb, listener: Listener
) -> None:
    """At creation and at every call, in any spelling, without a connection."""
    for form in PRIVATE:
        url = form.replace("{port}", str(listener.port))
        assert await guarded.refusal(url) is not None, url
        assert WebFailure.ADDRESS_REFUSED == await failure(guarded, url), url

    assert 0 == listener.connections


async def test_an_answer_that_flips_gains_nothing(listener: Listener) -> None:
    """The addresses that were looked at are those that are connected to: a thousand tries, none inside."""
    asked = 0

    async def flipping(_: str) -> Sequence[str]:
        nonlocal asked
        asked += 1
        return ["127.0.0.1" if asked % 2 else "127.0.0.99"]

    # Here 127.0.0.99 is the public address, and no server listens at its port 9.
    guard = GuardedWeb(lambda address: address == IPv4Address("127.0.0.99"), flipping)
    failures = [await failure(guard, "http://flip.example:9/") for _ in range(500)]
    refusals = [await guard.refusal(f"http://flip.example:{listener.port}/") for _ in range(500)]
    await guard.close()

    assert 1000 == asked
    assert [WebFailure.ADDRESS_REFUSED, WebFailure.CONNECTION_FAILED] * 250 == failures
    assert [True, False] * 250 == [refusal is not None for refusal in refusals]
    assert 0 == listener.connections


async def test_a_private_address_is_called_where_it_may_be(
    opened: GuardedWeb, listener: Listener
) -> None:
    """`--allow-private-urls` opens loopback and private addresses, by name too."""
    for host in ("127.0.0.1", "inside.example", "localhost", "told.localhost"):
        url = f"http://{host}:{listener.port}/told"
        assert await opened.refusal(url) is None
        assert 204 == (await opened.post(url, {"webhook-id": "dlv_1"}, b"{}")).status

    assert 4 == listener.connections


@pytest.mark.parametrize(
    "address",
    [
        *("169.254.169.254", "100.100.100.200", "168.63.129.16", "::ffff:168.63.129.16"),
        *("fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"),
        *("0.0.0.0", "224.0.0.1", "192.0.2.1", "::", "fe80::1", "ff02::1"),  # noqa: S104  it must be refused
    ],
)
def test_nothing_opens_what_is_nobodys(address: str) -> None:
    """Metadata services, multicast and the like stay closed with the flag."""
    assert not is_public_or_own(ip_address(address))


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"]
)
def test_the_internet_is_public(address: str) -> None:
    """Addresses of the internet are public, also embedded in IPv6 (NAT64)."""
    assert is_public(ip_address(address))


async def test_a_name_server_that_hangs_holds_one_thread_for_each_name(
    monkeypatch: pytest.MonkeyPatch, listener: Listener
) -> None:
    """Calls of that name share it, those that gave up too; other names are looked up at once."""
    look_up, answered = socket.getaddrinfo, threading.Event()
    asked: list[str] = []

    def hanging(host: str, *more: Any, **options: Any) -> Any:
        asked.append(host)
        if host == "slow.example":
            answered.wait()
            raise socket.gaierror
        return look_up(host, *more, **options)

    monkeypatch.setattr(socket, "getaddrinfo", hanging)
    calling = GuardedWeb(is_public_or_own, seconds=5.0)
    slow = [asyncio.create_task(calling.post("http://slow.example/", {}, b"")) for _ in range(100)]
    try:
        assert 204 == (await calling.post(f"http://localhost:{listener.port}/", {}, b"{}")).status
        slow[0].cancel()
    finally:
        answered.set()
    found = await asyncio.gather(*slow, return_exceptions=True)
    await calling.close()

    assert 99 == sum(isinstance(each, WebError) for each in found)
    assert 1 == asked.count("slow.example")


async def test_a_redirect_is_not_followed(opened: GuardedWeb, listener: Listener) -> None:
    """It is an answer like any other that is no 2xx."""
    listener.status, listener.headers = 302, {"Location": "http://127.0.0.1:1/"}

    assert 302 == (await opened.post(f"http://127.0.0.1:{listener.port}/", {}, b"{}")).status
    assert 1 == listener.connections


async def test_nothing_of_this_machine_goes_along(
    opened: GuardedWeb, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No proxy of the environment is asked, and no cookie comes back."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    listener.headers = {"Set-Cookie": "tea=1; Path=/"}
    for _ in range(2):
        assert 204 == (await opened.post(f"http://127.0.0.1:{listener.port}/", {}, b"{}")).status

    assert ["Watchword"] * 2 == [each.headers["User-Agent"] for each in listener.requests]
    assert not any("Cookie" in each.headers for each in listener.requests)


async def test_a_refusal_says_why(opened: GuardedWeb) -> None:
    """The first bytes of it come along; of what never ends, no more than those."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 422 No\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nno such \r\n")
        await writer.drain()
        with suppress(OSError):
            await reader.read()
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    cut, slow, unasked = [await opened.post(url, {}, b"", most) for most in (4, 100, 0)]
    server.close()

    assert [(422, b"no s"), (422, b"no such "), (422, b"")] == [
        (each.status, each.body) for each in (cut, slow, unasked)
    ]


async def test_an_endless_answer_is_not_read(opened: GuardedWeb) -> None:
    """Its status is all that is wanted of it."""
    closed = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            while True:
                writer.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
                await writer.drain()
        except OSError:
            closed.set()
        finally:
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    assert 200 == (await opened.post(f"http://127.0.0.1:{port}/", {}, b"{}")).status
    async with asyncio.timeout(10):
        await closed.wait()
    server.close()


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("http://unknown.example/", WebFailure.NAME_UNKNOWN),
        ("http://127.0.0.1:1/", WebFailure.CONNECTION_FAILED),
    ],
)
async def test_failures_are_told_by_kind(opened: GuardedWeb, url: str, kind: WebFailure) -> None:
    """The message contains no text of a resolver or a socket."""
    assert kind == await failure(opened, url)


async def test_a_stranger_to_tls_is_told(opened: GuardedWeb, listener: Listener) -> None:
    """Https is verified: an endpoint that does not speak it has no secret of ours."""
    url = f"https://127.0.0.1:{listener.port}/"

    assert await failure(opened, url) in (WebFailure.TLS_FAILED, WebFailure.CONNECTION_FAILED)
    assert [] == listener.requests


async def test_silence_ends_with_the_deadline(listener: Listener) -> None:
    """A call takes no longer than it may."""
    listener.silent = True
    guard = GuardedWeb(is_public_or_own, named, seconds=0.05)

    assert WebFailure.TIMEOUT == await failure(guard, f"http://127.0.0.1:{listener.port}/")
    await guard.close()


async def test_a_name_without_an_address_may_get_one(guarded: GuardedWeb) -> None:
    """It is no mistake of its writer, and is looked at again by each call."""
    assert await guarded.refusal("https://unknown.example/told") is None


async def test_the_system_is_asked_for_names(listener: Listener) -> None:
    """By default localhost is refused; with the option it is called."""
    guard, opened = GuardedWeb(is_public), GuardedWeb(is_public_or_own)
    url = f"http://localhost:{listener.port}/"

    assert str(await guard.refusal(url)).startswith("must have a public address. ")
    assert 204 == (await opened.post(url, {}, b"{}")).status
    await guard.close()
    await opened.close()


@pytest.mark.parametrize(
    "host", ["[a:b!]", "[::1=]", "[v1.a:b]", "[:]", "[1.2.3.4]", "[::1", "::1]"]
)
async def test_brackets_hold_an_address_of_ipv6(guarded: GuardedWeb, host: str) -> None:
    """Other parsers raise at anything else, long after the URL was taken in."""
    assert await guarded.refusal(f"https://{host}/told") is not None
