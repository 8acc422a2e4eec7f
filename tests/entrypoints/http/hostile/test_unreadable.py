"""Requests that are not HTTP/1.1 get the documented error, which quotes none of their bytes (D-24)."""

from __future__ import annotations

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.http.hostile.raw_client import (
    HOST,
    JSON,
    KEY,
    exchange,
    request,
    wire,
)

CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"2\r\n{}\r\n0\r\n\r\n"


def get(*headers: bytes, target: str = "/v1/templates") -> bytes:
    """Put a GET with more headers together."""
    return request(target, HOST, KEY, *headers)


def framed(*headers: bytes, body: bytes = CHUNKS) -> bytes:
    """Put a POST with a framing of its own together."""
    return request("/v1/pins", HOST, KEY, JSON, *headers, method="POST") + body


BAD: dict[str, bytes] = {
    "a header with a zero byte": get(b"X-Canary: CANARY\0\r\n"),
    "a header with a control byte": get(b"X-Canary: CANARY\x01\r\n"),
    "a header name with a space": get(b"X Canary: CANARY\r\n"),
    "a header without a colon": get(b"CANARY\r\n"),
    "a folded header": get(b"X-Canary: CANARY\r\n CANARY\r\n"),
    "lines without a carriage return": b"GET /v1/CANARY HTTP/1.1\nHost: localhost\n\n",
    "no Host": request("/v1/CANARY", KEY),
    "two Hosts": get(b"Host: CANARY\r\n"),
    "two Content-Types": framed(JSON, CHUNKED),
    "two lengths": framed(b"Content-Length: 2\r\n", b"Content-Length: 2\r\n", body=b"{}"),
    "a list of lengths": framed(b"Content-Length: 2, 2\r\n", body=b"{}"),
    "a negative length": framed(b"Content-Length: -2\r\n", body=b"{}"),
    "a length with a sign": framed(b"Content-Length: +2\r\n", body=b"{}"),
    "a length in hexadecimal": framed(b"Content-Length: 0x2\r\n", body=b"{}"),
    "a length beyond numbers": framed(b"Content-Length: " + b"9" * 30 + b"\r\n", body=b"{}"),
    "a length and chunks": framed(b"Content-Length: 2\r\n", CHUNKED),
    "chunks and a length": framed(CHUNKED, b"Content-Length: 2\r\n"),
    "chunks twice": framed(CHUNKED, CHUNKED),
    "chunks, then something else": framed(b"Transfer-Encoding: chunked, identity\r\n"),
    "an unknown transfer coding": framed(b"Transfer-Encoding: CANARY\r\n"),
    "a chunk size that is no number": framed(CHUNKED, body=b"CANARY\r\n"),
    "a chunk size beyond numbers": framed(CHUNKED, body=b"f" * 17 + b"\r\n"),
    "a chunk longer than its size": framed(CHUNKED, body=b"2\r\n{}CANARY\r\n0\r\n\r\n"),
    "HTTP/0.9": b"GET /v1/CANARY\r\n\r\n",
    "HTTP/1.2": b"GET /v1/CANARY HTTP/1.2\r\nHost: localhost\r\n\r\n",
    "HTTP/2": b"GET /v1/CANARY HTTP/2.0\r\nHost: localhost\r\n\r\n",
    "HTTP/3": b"GET /v1/CANARY HTTP/3.0\r\nHost: localhost\r\n\r\n",
    "an unknown method": request("/v1/CANARY", HOST, method="CANARY"),
    "bytes beyond ASCII in the path": request("/v1/pins/CANARY\xff/verify", HOST),
    "UTF-8 in the path": request("/v1/pins/CANARY\xc3\xa9/verify", HOST),
    "bytes beyond ASCII in the query": request("/v1/templates?search=CANARY\xff", HOST),
    "a zero byte in the path": request("/v1/pins/CANARY\0/verify", HOST),
    "an absolute target without a host": request("http:///v1/CANARY", HOST),
    "an absolute target with half a host": request("http://[::1/v1/CANARY", HOST),
    "an absolute target with no port": request("http://localhost:99999/v1/CANARY", HOST),
    "the first draft of WebSocket": get(b"Sec-WebSocket-Key1: CANARY\r\n"),
}
BAD_ELSEWHERE: dict[str, bytes] = {
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00CANARY\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nCANARY",
    "a method in small letters": b"get /CANARY HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a target that is no path": request("CANARY", HOST),
    "a star": request("*", HOST),
    "two Hosts": request("/CANARY", HOST, HOST),
}
TOO_LARGE: dict[str, bytes] = {
    "a request line": get(target="/v1/CANARY" + "a" * 9000),
    "a query": get(target="/v1/templates?CANARY" + "a" * 9000),
    "a header": get(b"X-Canary: CANARY" + b"a" * 9000 + b"\r\n"),
    "a header name": get(b"CANARY" + b"a" * 9000 + b": a\r\n"),
    "a head without an end": get(*(b"X-Canary-%d: %b\r\n" % (n, b"a" * 7000) for n in range(100)))[
        :-2
    ],
    "10,000 headers": get(*(b"X-Canary-%d: CANARY\r\n" % n for n in range(10_000))),
}


async def refused(port: int, sent: bytes) -> tuple[tuple[int, str], bool]:
    """Send bytes, see the connection end, and return the error and whether it is in the envelope."""
    async with wire(port) as line:
        await line.send(sent)
        answer = await line.answer()

        assert b"" == await line.ended()
        assert "close" == answer.headers.get("Connection", "close")
        assert b"CANARY" not in answer.body
        return answer.error, answer.in_envelope


@pytest.mark.parametrize("sent", BAD.values(), ids=BAD)
async def test_what_is_no_http_is_400(port: int, sent: bytes) -> None:
    """Under /v1 it is validation_failed in the envelope, and the connection ends."""
    assert ((400, "validation_failed"), True) == await refused(port, sent)


@pytest.mark.parametrize("sent", BAD_ELSEWHERE.values(), ids=BAD_ELSEWHERE)
async def test_elsewhere_it_takes_the_messaging_form(port: int, sent: bytes) -> None:
    """Without a visible path, and on another one, the form is that of C-18."""
    assert ((400, "validation_failed"), False) == await refused(port, sent)


@pytest.mark.parametrize("sent", TOO_LARGE.values(), ids=TOO_LARGE)
async def test_a_head_that_is_too_large_is_431(port: int, sent: bytes) -> None:
    """Over 8190 bytes in a line, 128 headers, or 64 KiB in all: headers_too_large (D-24)."""
    assert ((431, "headers_too_large"), True) == await refused(port, sent)


async def test_chunks_that_break_off_late_are_400(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    """A body that goes wrong while it is read is refused at once, once, and without an alarm."""
    async with wire(port) as line:
        await line.send(framed(CHUNKED, b"Expect: 100-continue\r\n", body=b""))

        assert 100 == (await line.answer(bodiless=True)).status

        await line.send(b"2\r\n{}\r\nCANARY\r\n")
        answer = await line.answer()

        assert (400, "validation_failed") == answer.error
        assert b"CANARY" not in answer.body
        assert b"" == await line.ended()

    assert [] == caplog.records


async def test_nothing_hides_behind_a_body(caller: Caller, port: int) -> None:
    """Bytes behind a refused framing are no request: nothing is smuggled (T24)."""
    before = await caller.recorded()
    hidden = b'{"destination":"+919812345611","templateId":"tpl_demo"}'
    smuggled = request("/v1/pins", HOST, KEY, JSON, method="POST", body=hidden)
    for framing in (
        (b"Content-Length: 5\r\n", CHUNKED),
        (CHUNKED, b"Content-Length: 5\r\n"),
        (b"Content-Length: 5\r\n", b"Content-Length: 0\r\n"),
        (b"Transfer-Encoding: xchunked\r\n",),
    ):
        await refused(port, framed(*framing, body=b"0\r\n\r\n" + smuggled))

    assert before == await caller.recorded()


ODD: list[tuple[str, bytes, tuple[int, str], bool]] = [
    ("CONNECT", request("localhost:80", HOST, method="CONNECT"), (404, "not_found"), False),
    ("OPTIONS *", request("*", HOST, method="OPTIONS"), (404, "not_found"), False),
    (
        "OPTIONS",
        request("/v1/pins", HOST, method="OPTIONS"),
        (405, "method_not_allowed"),
        True,
    ),
    ("TRACE", request("/v1/pins", HOST, method="TRACE"), (405, "method_not_allowed"), True),
    ("two slashes", request("//v1/templates", HOST, KEY), (404, "not_found"), False),
    (
        "another host's address",
        request("http://example.com/v1/nothing", HOST),
        (404, "not_found"),
        True,
    ),
]


@pytest.mark.parametrize(
    ("sent", "error", "in_envelope"), [o[1:] for o in ODD], ids=[o[0] for o in ODD]
)
async def test_odd_requests_are_answered_like_others(
    port: int, sent: bytes, error: tuple[int, str], in_envelope: bool
) -> None:
    """Methods and targets of HTTP that no route serves are 404 or 405."""
    answer = await exchange(port, sent)

    assert (error, in_envelope) == (answer.error, answer.in_envelope)


async def test_head_has_the_headers_of_get(port: int) -> None:
    """HEAD answers without a body, errors too."""
    for target, status in (("/v1/templates", 200), ("/v1/pins", 405), ("/nothing", 404)):
        answer = await exchange(port, request(target, HOST, KEY, method="HEAD"), bodiless=True)

        assert status == answer.status
        assert answer.headers["X-Request-Id"].startswith("req_")


@pytest.mark.parametrize("odd", ["%00", "%ff", "%zz", "%", "%ed%a0%80", "..", "%2e%2e", "%2f", "'"])
async def test_ids_of_odd_characters_are_unknown_ids(port: int, odd: str) -> None:
    """Zero bytes, broken percent signs, half surrogates: no PIN has such an id (C-9)."""
    sent = request(f"/v1/pins/a{odd}b/verify", HOST, KEY, JSON, method="POST", body=b'{"pin":"1"}')

    assert (404, "pin_not_found") == (await exchange(port, sent)).error


@pytest.mark.parametrize("odd", ["%00", "%ff", "%zz", "%", "%ed%a0%80", "a" * 7000])
@pytest.mark.parametrize(
    "target", ["/v1/templates?search=", "/v1/templates?page=", "/v1/templates?sortBy="]
)
async def test_filters_of_odd_characters_are_filters(port: int, target: str, odd: str) -> None:
    """A list answers for any filter (C-17)."""
    assert 200 == (await exchange(port, request(target + odd, HOST, KEY))).status
