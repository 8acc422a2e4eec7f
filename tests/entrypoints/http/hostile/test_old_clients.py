"""Clients of HTTP/1.0, and HEAD requests: answers have a form that each can read."""

from __future__ import annotations

import pytest

from tests.entrypoints.http.hostile.raw_client import HOST, JSON, KEY, request, wire

KEEP_ALIVE = b"Connection: keep-alive\r\n"
BODY = b'{"destination": "+919812345611", "templateId": "tpl_demo"}'


def of_version_1_0(head: bytes) -> bytes:
    """Return a request as an old client says it."""
    return head.replace(b"HTTP/1.1", b"HTTP/1.0", 1)


async def test_an_old_client_is_answered_as_it_asks(port: int) -> None:
    """In its own version, after which the connection ends."""
    async with wire(port) as line:
        await line.send(of_version_1_0(request("/health/live", HOST)))
        answer = await line.ended()

    assert answer.startswith(b"HTTP/1.0 200 OK\r\n")
    assert b"\r\nConnection:" not in answer


async def test_an_old_client_may_stay(port: int) -> None:
    """If it asks to stay, the answer allows it, and it sends another request."""
    async with wire(port) as line:
        for _ in range(2):
            await line.send(of_version_1_0(request("/health/live", HOST, KEEP_ALIVE)))
            answer = await line.answer()

            assert 200 == answer.status
            assert "keep-alive" == answer.headers["Connection"]


@pytest.mark.parametrize("expected", [b"100-continue", b"tea"])
async def test_an_old_client_expects_nothing(port: int, expected: bytes) -> None:
    """HTTP/1.0 has no `Expect`: it is ignored, and no 100 is sent."""
    size = b"Content-Length: %d\r\n" % len(BODY)
    head = request(
        "/v1/pins", HOST, KEY, JSON, b"Expect: " + expected + b"\r\n", size, method="POST"
    )
    async with wire(port) as line:
        await line.send(of_version_1_0(head) + BODY)

        assert 201 == (await line.answer()).status


async def test_who_wants_the_head_alone_gets_no_body(port: int) -> None:
    """The length is that of GET's body, and no body follows."""
    async with wire(port) as line:
        await line.send(request("/health/live", HOST))
        whole = await line.answer()
        await line.send(request("/health/live", HOST, b"Connection: close\r\n", method="HEAD"))
        head = await line.ended()

    assert b"\r\nContent-Length: %d\r\n" % len(whole.body) in head
    assert head.endswith(b"\r\n\r\n")
