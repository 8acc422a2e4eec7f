"""The scripted HTTP server answers as it is told, and records what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest

from watchword.testing import FaultyHttp, HttpAnswer


@pytest.fixture
async def web() -> AsyncIterator[FaultyHttp]:
    """Yield a server."""
    async with FaultyHttp() as web:
        yield web


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    """Yield a client that repeats nothing."""
    async with aiohttp.ClientSession() as client:
        client._retry_connection = False
        yield client


async def test_it_records_requests(web: FaultyHttp, client: aiohttp.ClientSession) -> None:
    """Method, target, headers as they were spelled, and the body."""
    await client.post(f"{web.url}/a%20b?x=1&y=", json={"tea": "green"}, headers={"X-Tea": "7"})
    await client.put(web.url, data={"tea": "green & black"})
    first, second = web.requests

    assert ("POST", "/a%20b", {"x": "1", "y": ""}) == (first.method, first.path, first.query)
    assert {"tea": "green"} == first.json()
    assert ("X-Tea", "7") in first.header_lines
    assert "7" == first.headers["x-tea"]
    assert {"tea": "green & black"} == second.form()
    assert 1 == web.connections


async def test_a_body_in_chunks_is_read(web: FaultyHttp, client: aiohttp.ClientSession) -> None:
    """A client need not know the length."""

    async def chunks() -> AsyncIterator[bytes]:
        yield b"green "
        yield b"tea"

    await client.post(web.url, data=chunks())

    assert [b"green tea"] == [each.body for each in web.requests]


async def test_it_follows_its_script(web: FaultyHttp, client: aiohttp.ClientSession) -> None:
    """One answer after the other; the last one stays. A function answers by the request."""
    web.says(
        HttpAnswer.json({"id": 1}),
        HttpAnswer.text("busy", 503).but(headers={"Retry-After": "7"}),
        lambda request: HttpAnswer.text(request.path),
    )
    first, second = await client.get(web.url), await client.get(web.url)

    assert {"id": 1} == await first.json()
    assert (503, "7") == (second.status, second.headers["retry-after"])
    assert "/tea" == await (await client.get(f"{web.url}/tea")).text()
    assert "/milk" == await (await client.get(f"{web.url}/milk")).text()


async def test_it_redirects_and_overflows(web: FaultyHttp, client: aiohttp.ClientSession) -> None:
    """A redirect has its address; a huge answer has 10 MB."""
    web.says(HttpAnswer.redirect("http://127.0.0.1:9/"), HttpAnswer.huge())
    there = await client.get(web.url, allow_redirects=False)

    assert (302, "http://127.0.0.1:9/") == (there.status, there.headers["location"])
    assert 10_000_002 == len(await (await client.get(web.url)).read())


async def test_it_cuts_an_answer(web: FaultyHttp, client: aiohttp.ClientSession) -> None:
    """The connection closes after so many bytes; the request was recorded."""
    whole = HttpAnswer.json({"id": 1})
    web.says(whole.but(cut_at=20), whole.but(cut_at=len(whole.written()) - 1), whole)
    with pytest.raises(aiohttp.ClientError):
        await client.get(web.url)
    with pytest.raises(aiohttp.ClientError):
        await (await client.get(web.url)).read()

    assert 200 == (await client.get(web.url)).status
    assert 3 == len(web.requests)


async def test_it_is_silent_or_slow(web: FaultyHttp, client: aiohttp.ClientSession) -> None:
    """A silent answer never comes, a slow one does."""
    web.says(HttpAnswer.silence(), HttpAnswer(delay=0.001))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await client.get(web.url)

    assert 200 == (await client.get(web.url)).status


async def test_a_stale_connection_is_closed_unannounced(web: FaultyHttp) -> None:
    """The answer is whole and announces no end, so that a client would keep the connection."""
    answer = HttpAnswer.json({"id": 1})
    web.says(answer.but(stale=True))
    reader, writer = await asyncio.open_connection(web.host, web.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: tea\r\n\r\n")

    assert answer.written() == await reader.read()
    assert b"connection" not in answer.written().lower()
    writer.close()


async def test_what_is_no_http_is_not_recorded(web: FaultyHttp) -> None:
    """The connection ends, and the server goes on."""
    reader, writer = await asyncio.open_connection(web.host, web.port)
    writer.write(b"tea\r\n\r\n")

    assert b"" == await reader.read()
    assert [] == web.requests
    writer.close()
