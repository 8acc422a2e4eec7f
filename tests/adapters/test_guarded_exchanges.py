"""Calls whose answers are read: at most so many bytes, within the deadline of every call (C-105)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from watchword.adapters.guarded_web import GuardedWeb
from watchword.adapters.public_addresses import is_public, is_public_or_own
from watchword.application.ports.web import WebAnswer, WebError, WebFailure


@asynccontextmanager
async def answering(*pieces: bytes, ends: bool = True) -> AsyncIterator[str]:
    """Answer each call with these pieces, and then go on in silence unless it `ends`."""
    ended = asyncio.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        if not ends:
            await reader.read()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        ended.set()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    await ended.wait()
    server.close()


async def asked(url: str, most: int = 10, *, seconds: float = 5.0) -> WebAnswer:
    """Make a call, as with `--allow-private-urls`."""
    web = GuardedWeb(is_public_or_own, seconds=seconds)
    try:
        return await web.exchange(url, {"Content-Type": "text/plain"}, b"old 0\n", most)
    finally:
        await web.close()


async def test_an_answer_is_read_to_its_end() -> None:
    """In however many pieces it comes, and whatever its status is."""
    head = b"HTTP/1.1 409 Conflict\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with answering(head, b"1\r\n7\r\n", b"2\r\n3\n\r\n", b"0\r\n\r\n") as url:
        assert WebAnswer(409, b"73\n") == await asked(url)


async def test_no_more_is_kept_of_an_answer_than_asked_for() -> None:
    """The rest of a longer one is not read."""
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
    async with answering(head, b"x" * 50_000, ends=False) as url:
        assert WebAnswer(200, b"x" * 10) == await asked(url)


async def test_an_answer_that_stops_ends_with_the_deadline() -> None:
    """The deadline is for the whole call, also once the head of the answer came."""
    async with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", b"x", ends=False) as url:
        with pytest.raises(WebError) as failed:
            await asked(url, seconds=0.1)

    assert WebFailure.TIMEOUT == failed.value.failure


async def test_an_exchange_is_guarded_as_a_post_is() -> None:
    """A private address is not connected to."""
    web = GuardedWeb(is_public)
    with pytest.raises(WebError) as failed:
        await web.exchange("http://127.0.0.1:1/", {}, b"", 10)
    await web.close()

    assert WebFailure.ADDRESS_REFUSED == failed.value.failure
