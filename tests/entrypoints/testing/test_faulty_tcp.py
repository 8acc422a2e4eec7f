"""The faulty proxy does what it is told, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from watchword.testing import FaultyTcp


class Echo:
    """A counterpart that sends back what it gets, and keeps it."""

    def __init__(self) -> None:
        self.got = b""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        while chunk := await reader.read(1000):
            self.got += chunk
            writer.write(chunk)
        writer.close()


@pytest.fixture
def echo() -> Echo:
    """Return a counterpart."""
    return Echo()


@pytest.fixture
async def proxy(echo: Echo) -> AsyncIterator[FaultyTcp]:
    """Yield a proxy in front of it."""
    server = await asyncio.start_server(echo.serve, "127.0.0.1", 0)
    async with FaultyTcp(server.sockets[0].getsockname()[1]) as proxy:
        yield proxy
    server.close()


async def said(proxy: FaultyTcp, words: bytes) -> bytes:
    """Send words on a new connection, and return what comes back before it ends."""
    reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
    try:
        writer.write(words)
        writer.write_eof()
        async with asyncio.timeout(5):
            return await reader.read()
    finally:
        writer.close()


async def test_without_a_fault_bytes_pass(proxy: FaultyTcp, echo: Echo) -> None:
    """Both directions are forwarded whole, and counted."""
    words = b"tea" * 100_000

    assert words == await said(proxy, words)
    assert words == echo.got
    assert (len(words), len(words), 1) == (proxy.sent, proxy.received, proxy.connections)


async def test_it_refuses_until_it_is_mended(proxy: FaultyTcp) -> None:
    """The port stays the same, so a client finds the way again."""
    await proxy.refuse()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(proxy.host, proxy.port)
    await proxy.mend()

    assert b"tea" == await said(proxy, b"tea")


@pytest.mark.parametrize("at", [0, 1, 5])
async def test_it_cuts_after_so_many_bytes_of_the_client(
    proxy: FaultyTcp, echo: Echo, at: int
) -> None:
    """The counterpart has exactly these bytes, once it has settled; the next connection passes."""
    proxy.cut(sent=at)
    assert len(await said(proxy, b"green tea")) <= at
    await proxy.settled()

    assert b"green tea"[:at] == echo.got
    assert not proxy.armed
    assert b"tea" == await said(proxy, b"tea")


@pytest.mark.parametrize("at", [0, 1, 5])
async def test_it_cuts_after_so_many_bytes_of_the_counterpart(
    proxy: FaultyTcp, echo: Echo, at: int
) -> None:
    """The client has exactly these bytes, and the counterpart has what the client sent."""
    proxy.cut(received=at)

    assert b"green tea"[:at] == await said(proxy, b"green tea")
    await proxy.settled()
    assert b"green tea" == echo.got


async def test_it_resets_a_connection(proxy: FaultyTcp) -> None:
    """A crash of the counterpart is no orderly end."""
    proxy.cut(received=1, reset=True)
    with pytest.raises(ConnectionResetError):
        await said(proxy, b"green tea" * 100_000)


async def test_it_is_silent(proxy: FaultyTcp, echo: Echo) -> None:
    """Connections are accepted, and nothing comes through; mended, it closes them."""
    proxy.be_silent()
    reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
    writer.write(b"tea")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await reader.read(1)
    await proxy.mend()

    assert b"" == await reader.read()
    assert b"" == echo.got
    writer.close()


async def test_it_drops_idle_connections(proxy: FaultyTcp) -> None:
    """A connection that was kept is gone, and a new one passes."""
    reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
    writer.write(b"tea")
    assert b"tea" == await reader.readexactly(3)
    proxy.drop()

    assert b"" == await reader.read()
    assert b"tea" == await said(proxy, b"tea")
    writer.close()


async def test_it_drips_and_delays(proxy: FaultyTcp) -> None:
    """Everything arrives, later; dripping, byte by byte."""
    proxy.delay(0.001)
    assert b"tea" == await said(proxy, b"tea")
    proxy.drip(0.0001)

    assert b"green tea" == await said(proxy, b"green tea")


async def test_a_counterpart_that_is_away_ends_the_connection(echo: Echo) -> None:
    """A client of the proxy sees an end, and no error stays behind."""
    server = await asyncio.start_server(echo.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    async with FaultyTcp(port) as proxy:
        reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)
        writer.close()
