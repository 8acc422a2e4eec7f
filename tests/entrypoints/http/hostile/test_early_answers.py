"""Callers without permission are refused before the body is read (C-8, C-64, R28)."""

from __future__ import annotations

import pytest

from tests.entrypoints.http.hostile.raw_client import (
    HOST,
    JSON,
    KEY,
    RawAnswer,
    exchange,
    request,
    wire,
)
from watchword.entrypoints.http.listener.connections import MAX_DRAINED

UPLOAD = 100 * 1000 * 1000
CONTINUE = b"Expect: 100-continue\r\n"
TEA = b"Expect: CANARY\r\n"


def upload(target: str, *headers: bytes) -> bytes:
    """Announce a POST of 100 MB."""
    size = b"Content-Length: %d\r\n" % UPLOAD
    return request(target, HOST, JSON, *headers, size, method="POST")


EARLY: list[tuple[str, bytes, tuple[int, str]]] = [
    ("no key", upload("/v1/pins"), (401, "unauthorized")),
    ("a wrong key", upload("/v1/pins", b"Authorization: Bearer x\r\n"), (401, "unauthorized")),
    ("no token", upload("/admin/v1/accounts"), (401, "unauthorized")),
    ("no route", upload("/v1/tea"), (404, "not_found")),
    ("no such method", upload("/v1/templates"), (405, "method_not_allowed")),
    ("too much", upload("/v1/pins", KEY), (413, "payload_too_large")),
]


async def first_answer(port: int, head: bytes) -> RawAnswer:
    """Send a head and less than 64 KB of its body, and return the answer."""
    async with wire(port) as line:
        await line.send(head + b" " * 60_000)
        return await line.answer()


@pytest.mark.parametrize(("head", "error"), [e[1:] for e in EARLY], ids=[e[0] for e in EARLY])
async def test_the_answer_comes_before_64_kb_are_read(
    port: int, head: bytes, error: tuple[int, str]
) -> None:
    """A refusal that no body could change comes without reading it; the connection ends."""
    answer = await first_answer(port, head)

    assert error == answer.error
    assert "close" == answer.headers["Connection"]


async def test_an_upload_that_goes_on_is_cut_off(port: int) -> None:
    """A client that does not listen may send a little more, and is not read to its end."""
    sent = 0
    async with wire(port) as line:
        try:
            await line.send(upload("/v1/pins"))
            while sent < UPLOAD:
                await line.send(b" " * 2**16)
                sent += 2**16
        except ConnectionError:
            pass

    # The system's own buffers come on top.
    assert MAX_DRAINED < sent < UPLOAD / 2


@pytest.mark.parametrize(("head", "error"), [e[1:] for e in EARLY], ids=[e[0] for e in EARLY])
async def test_nobody_is_asked_for_a_body_that_is_not_wanted(
    port: int, head: bytes, error: tuple[int, str]
) -> None:
    """`Expect: 100-continue` gets the refusal, and no 100 before it."""
    assert error == (await exchange(port, head[:-2] + CONTINUE + b"\r\n")).error


async def test_a_body_that_is_wanted_is_asked_for(port: int) -> None:
    """100 comes once the key, the type and the size are right; then the answer."""
    body = b'{"destination": "+919812345611", "templateId": "tpl_demo"}'
    size = b"Content-Length: %d\r\n" % len(body)
    async with wire(port) as line:
        await line.send(request("/v1/pins", HOST, KEY, JSON, CONTINUE, size, method="POST"))

        assert 100 == (await line.answer(bodiless=True)).status

        await line.send(body)

        assert 201 == (await line.answer()).status


async def test_another_expectation_is_417(port: int) -> None:
    """An unknown expectation is expectation_failed, on every route in the form of its area (D-24)."""
    for target, method, in_envelope in (
        ("/v1/pins", "POST", True),
        ("/v1/templates", "GET", True),
        ("/health/live", "GET", False),
    ):
        answer = await exchange(port, request(target, HOST, KEY, TEA, method=method))

        assert (417, "expectation_failed") == answer.error
        assert in_envelope == answer.in_envelope
        assert b"CANARY" not in answer.body.upper()


async def test_an_expectation_of_nothing_is_one_too(port: int) -> None:
    """An empty `Expect` is none that can be met, the first of two counts, and case does not."""
    for expected, status in (
        (b"Expect:\r\n", 417),
        (b"Expect: 100-Continue\r\n", 200),
        (TEA + CONTINUE, 417),
        (CONTINUE + TEA, 200),
    ):
        answer = await exchange(port, request("/health/live", HOST, expected))

        assert status == answer.status


async def test_the_route_comes_before_the_expectation(port: int) -> None:
    """Unknown paths and methods stay 404 and 405 (C-64)."""
    for target, method, error in (
        ("/v1/tea", "POST", (404, "not_found")),
        ("/tea", "GET", (404, "not_found")),
        ("/v1/pins", "GET", (405, "method_not_allowed")),
    ):
        assert error == (await exchange(port, request(target, HOST, TEA, method=method))).error
