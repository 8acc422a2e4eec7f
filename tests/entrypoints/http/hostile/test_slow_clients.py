"""Clients that take their time do not take the service (D-22, R27)."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack

import pytest
import uvloop

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.entrypoints.http.hostile.raw_client import (
    HOST,
    JSON,
    KEY,
    PATIENCE_OF_TESTS,
    RawAnswer,
    Wire,
    request,
    wire,
)
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.http.listener.patience import USUAL_PATIENCE, Patience
from watchword.entrypoints.settings import Settings

LITTLE = Patience(head=0.5, body=1.0, body_start=0.5, answer=0.5, rest=1.0)
HEAD = request("/v1/templates", HOST, KEY)
BODY = request("/v1/pins", HOST, KEY, JSON, b"Content-Length: 100000\r\n", method="POST")
TIMED_OUT = (408, "request_timeout")


@pytest.fixture
def patience() -> Patience:
    """Keep the tests short."""
    return LITTLE


async def drip(line: Wire) -> None:
    """Send a byte now and then until the other side has had enough."""
    try:
        while not line.reader.at_eof():
            await line.send(b"a")
            await asyncio.sleep(0.1)
    except ConnectionError:
        pass


async def ask_without_end(line: Wire) -> None:
    """Ask for more than the system's buffers hold."""
    async with asyncio.timeout(PATIENCE_OF_TESTS):
        while True:
            await line.send(request("/openapi.json", HOST) * 10)


async def slow_head(port: int) -> bytes:
    """Begin a request without ending its headers; return the answer."""
    async with wire(port) as line:
        await line.send(b"GET /v1/templates HTTP/1.1\r\nX-Slow: ")
        dripping = asyncio.create_task(drip(line))
        answered = await line.ended()
        await dripping
        return answered


async def slow_body(port: int) -> RawAnswer:
    """Begin a body without ending it; return the answer once the connection has ended."""
    async with wire(port) as line:
        await line.send(BODY)
        dripping = asyncio.create_task(drip(line))
        answer = await line.answer()
        dripping.cancel()
        await line.ended()
        return answer


async def test_a_head_is_slow_on_a_used_connection_too(port: int) -> None:
    """The first byte of every request starts its time, and not the connection's age."""
    async with wire(port) as line:
        for _ in range(2):
            await line.send(HEAD)

            assert 200 == (await line.answer()).status

        await line.send(HEAD[:10])

        assert b"" == await line.ended()


@pytest.mark.parametrize("begin", [b"", b"\r\n", b"GET"])
async def test_silence_ends_a_connection(port: int, begin: bytes) -> None:
    """A client that sends nothing, or half a head, is disconnected."""
    async with wire(port) as line:
        await line.send(begin)

        assert b"" == await line.ended()


def test_a_head_that_was_there_at_once_is_watched_too() -> None:
    """Bytes that arrived before the connection was accepted are the beginning of a head."""

    async def ended() -> bytes:
        async with (
            wired(Settings(store="memory://", sandbox=True)) as service,
            listening(service, patience=LITTLE) as caller,
        ):
            with socket.create_connection(
                ("127.0.0.1", caller.endpoint.make_url("/").port)
            ) as line:
                line.sendall(HEAD[:10])
                line.setblocking(False)
                async with asyncio.timeout(PATIENCE_OF_TESTS):
                    return await asyncio.get_running_loop().sock_recv(line, 1)

    # As `watchword serve` runs: this loop reads earlier than the one of asyncio.
    assert b"" == uvloop.run(ended())


async def test_a_body_in_time_is_read(port: int) -> None:
    """A body in pieces is a body, as long as it keeps its pace."""
    body = b'{"destination": "+919812345611", "templateId": "tpl_demo"}'
    size = b"Content-Length: %d\r\n" % len(body)
    async with wire(port) as line:
        await line.send(request("/v1/pins", HOST, KEY, JSON, size, method="POST") + body[:20])
        await line.send(body[20:])

        assert 201 == (await line.answer()).status


@pytest.mark.parametrize(
    ("received", "seconds"), [(0, 10.0), (1024, 11.0), (10 * 1024, 20.0), (900_000, 59.0)]
)
def test_every_kilobyte_buys_a_second(received: int, seconds: float) -> None:
    """After its first 10 s a body has to come at 1 KiB/s, and to end within 59 s."""
    assert seconds == USUAL_PATIENCE.body_due(received)


async def test_an_answer_that_nobody_takes_is_dropped(caller: Caller, port: int) -> None:
    """A client that does not read its answer is disconnected, and the rest is dropped."""
    async with wire(port) as line:
        line.reader._transport.pause_reading()  # type: ignore[attr-defined]  # a stream reads on its own
        with pytest.raises(ConnectionError):
            await ask_without_end(line)

    assert 201 == (await caller.create()).status


class TestSiege:
    """Hundreds of slow clients at a time."""

    @pytest.fixture
    def patience(self) -> Patience:
        """Return the limits, long enough for a loop that serves both sides of 700 connections."""
        return Patience(head=3.0, body_start=2.0, rest=3.0)

    async def test_it_ends_and_nobody_notices(self, caller: Caller, port: int) -> None:
        """500 slow heads and 200 slow bodies are all cut off; other requests go on being answered."""
        # The well-behaved client shares this loop, and has its connection before the others come.
        assert 201 == (await caller.create()).status

        heads = [asyncio.create_task(slow_head(port)) for _ in range(500)]
        bodies = [asyncio.create_task(slow_body(port)) for _ in range(200)]
        answered = 0
        while not all(each.done() for each in (*heads, *bodies)):
            assert 201 == (await caller.create(f"+9198{answered:07}9")).status
            answered += 1

        assert {b""} == {each.result() for each in heads}
        assert {TIMED_OUT} == {each.result().error for each in bodies}
        assert answered > 0


class TestIdle:
    """Between requests."""

    @pytest.fixture
    def patience(self) -> Patience:
        """Wait for the next request only briefly."""
        return Patience(idle=0.3)

    async def test_an_idle_connection_ends(self, port: int) -> None:
        """A client that sends nothing more after an answer is disconnected."""
        async with wire(port) as line:
            await line.send(HEAD)

            assert 200 == (await line.answer()).status
            assert b"" == await line.ended()


class TestFull:
    """Over the bound on open connections."""

    @pytest.fixture
    def patience(self) -> Patience:
        """Let three clients in."""
        return Patience(connections=3)

    async def test_one_too_many_is_told_to_come_back(
        self, port: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        """
        It is 503 unavailable in the envelope, without a request; a place that is left is free.

        However many come, the log has a line a second at most.
        """
        began = asyncio.get_running_loop().time()
        sources = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
        async with AsyncExitStack() as open_lines:
            lines = [await open_lines.enter_async_context(wire(port, each)) for each in sources]
            for line in lines:
                # Half a head: none of them is idle.
                await line.send(HEAD)

                assert 200 == (await line.answer()).status

                await line.send(HEAD[:-2])
            async with wire(port, "127.0.0.4") as fourth:
                answer = await fourth.answer()

                assert (503, "unavailable") == answer.error
                assert "1" == answer.headers["Retry-After"]
                assert b"" == await fourth.ended()

            for _ in range(20):
                async with wire(port, "127.0.0.4") as another:
                    await another.answer()
            first = lines[0]
            await first.send(b"Connection: close\r\n\r\n")
            await first.answer()
            await first.ended()
            async with wire(port, "127.0.0.4") as fifth:
                await fifth.send(HEAD)

                assert 200 == (await fifth.answer()).status
        seconds = asyncio.get_running_loop().time() - began
        assert 1 <= caplog.text.count("connections_refused") <= 1 + seconds


async def test_the_usual_patience_is_the_documented_one() -> None:
    """14 s for a head, 59 s for a body, 75 s between requests (D-22)."""
    assert (14, 59, 75) == (USUAL_PATIENCE.head, USUAL_PATIENCE.body, USUAL_PATIENCE.idle)
