"""Requests as they come in: their parts at hand, and `Expect` out of aiohttp's sight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aiohttp import web
from aiohttp.hdrs import EXPECT
from aiohttp.http import HttpVersion11
from multidict import CIMultiDict, CIMultiDictProxy

RequestFactory = Callable[..., Any]


class IncomingRequest(web.Request):
    """
    A request with what every request is asked for in plain attributes.

    aiohttp works each of them out when it is asked, which was 4 % of the listener's work (callgrind).
    `expected` is what its `Expect` said; None where there was none, and once it was answered.
    """

    __slots__ = (
        "content",
        "expected",
        "headers",
        "keep_alive",
        "method",
        "raw_path",
        "version",
        "writer",
    )
    # Of attributes that are not among these, aiohttp warns where it debugs.
    ATTRS = web.Request.ATTRS | {*__slots__}
    expected: str | None

    def _finish(self) -> None:
        """Tell the connection, as aiohttp does the request, that the answer is at hand; no form is kept."""
        self._protocol.answered()  # type: ignore[attr-defined]  # these requests come on our connections


def path_of(request: web.BaseRequest) -> str:
    """Return a request's path as its route is looked up by: what is quoted in it stays so (D-140)."""
    return request.rel_url.raw_path


def request_factory(make_request: RequestFactory) -> RequestFactory:
    """
    Return the factory of these requests, on that of an application.

    `Expect` is taken out, for aiohttp answers it before any middleware runs: `100 Continue` before
    authentication, and 417 in a form of its own that quotes the header. Its handler can be replaced
    for each route, but not for paths without one. The server's `request_factory` sees every request.
    """

    def make(message: Any, content: Any, connection: Any, writer: Any, task: Any) -> Any:
        expected = None
        if EXPECT in message.headers:
            expected, message = _without_expect(message)
        request = make_request(message, content, connection, writer, task, _cls=IncomingRequest)
        request.content = content
        request.expected = expected
        request.headers = message.headers
        request.keep_alive = not message.should_close
        request.method = message.method
        request.raw_path = message.path
        request.version = message.version
        request.writer = writer
        return request

    return make


def _without_expect(message: Any) -> tuple[str | None, Any]:
    headers = CIMultiDict(message.headers)
    expected = headers[EXPECT].lower()
    del headers[EXPECT]
    rest = message._replace(headers=CIMultiDictProxy(headers))
    return None if message.version < HttpVersion11 else expected, rest
