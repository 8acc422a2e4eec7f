"""Bodies that lie about their coding or size, and bombs (C-9, C-64, D-23)."""

from __future__ import annotations

import gzip
import zlib

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.http.hostile.raw_client import (
    HOST,
    JSON,
    KEY,
    exchange,
    post,
    request,
    wire,
)

MIB = 1024 * 1024
CREATE = b'{"destination": "+919812345611", "templateId": "tpl_demo"}'
CHUNKED = request("/v1/pins", HOST, KEY, JSON, b"Transfer-Encoding: chunked\r\n", method="POST")


CODED: dict[str, tuple[str, bytes]] = {
    "gzip": ("gzip", gzip.compress(CREATE)),
    "a gzip bomb": ("gzip", gzip.compress(b" " * 10 * MIB)),
    "no gzip": ("gzip", b"no gzip"),
    "capitals": ("GZIP", gzip.compress(CREATE)),
    "a deflate bomb": ("deflate", zlib.compress(b" " * 10 * MIB)),
    "brotli": ("br", b"x"),
    "gzip twice": ("gzip, gzip", gzip.compress(gzip.compress(CREATE))),
    "tea": ("tea", CREATE),
}


@pytest.mark.parametrize(("coding", "body"), CODED.values(), ids=CODED)
async def test_a_coded_body_is_415(caller: Caller, port: int, coding: str, body: bytes) -> None:
    """A Content-Encoding is refused unread, so that no bomb is ever unpacked (D-23)."""
    coded = f"Content-Encoding: {coding}\r\n".encode()

    assert (415, "unsupported_media_type") == (
        await exchange(port, post("/v1/pins", body, coded))
    ).error
    assert [] == await caller.outbox()


async def test_identity_is_no_coding(port: int) -> None:
    """A body that says that it is sent as it is may say so."""
    plain = post("/v1/pins", CREATE, b"Content-Encoding: identity\r\n")

    assert 201 == (await exchange(port, plain)).status


async def test_a_coded_transfer_is_415(port: int) -> None:
    """Chunks of anything but the body itself are not taken for the body."""
    coded = b"Transfer-Encoding: gzip, chunked\r\n"
    sent = request("/v1/pins", HOST, KEY, JSON, coded, method="POST") + b"2\r\n{}\r\n0\r\n\r\n"

    assert (415, "unsupported_media_type") == (await exchange(port, sent)).error


async def test_chunks_are_counted(port: int) -> None:
    """A body that announces no size is 413 once it is over 1 MiB, and its connection ends."""
    async with wire(port) as line:
        await line.send(CHUNKED)
        for _ in range(17):
            await line.send(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        answer = await line.answer()

        assert (413, "payload_too_large") == answer.error
        assert "close" == answer.headers["Connection"]


async def test_a_body_in_many_small_chunks_is_read(port: int) -> None:
    """A chunk for every byte is a body like others."""
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in CREATE.ljust(50_000))

    assert 201 == (await exchange(port, CHUNKED + chunks + b"0\r\n\r\n")).status


async def test_a_body_shorter_than_announced_is_none(caller: Caller, port: int) -> None:
    """A client that goes away in the middle of its body has asked for nothing."""
    async with wire(port) as line:
        await line.send(post("/v1/pins", CREATE.ljust(100))[:-10])

    assert 201 == (await caller.create()).status
    assert 1 == len(await caller.outbox())


async def test_the_body_of_a_get_is_left_alone(port: int) -> None:
    """A body that no route asks for is neither read nor taken for the next request."""
    async with wire(port) as line:
        target = "/v1/templates"
        await line.send(request(target, HOST, KEY, body=b"x" * 100) + request(target, HOST, KEY))

        assert [200, 200] == [(await line.answer()).status for _ in range(2)]
