"""`Expect: 100-continue`, answered when a body is wanted and not before (C-8, C-64)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aiohttp import web
from aiohttp.hdrs import EXPECT
from aiohttp.http import HttpVersion11
from multidict import CIMultiDict, CIMultiDictProxy

RequestFactory = Callable[..., Any]

_CONTINUE = "100-continue"


class _Expecting(web.Request):
    """A request that came with `Expect`; `expected` is empty once it was answered."""

    # In development mode aiohttp warns of attributes that are not among these.
    ATTRS = web.Request.ATTRS | {"expected"}
    expected = ""


def deferring(make_request: RequestFactory) -> RequestFactory:
    """
    Take `Expect` out of aiohttp's sight.

    aiohttp answers it before any middleware runs: `100 Continue` before authentication, and 417 in
    a form of its own that quotes the header. Its handler can be replaced for each route, but not
    for paths without one. The server's `request_factory` sees every request.
    """

    def make(message: Any, *context: Any) -> Any:
        expected = message.headers.get(EXPECT)
        if expected is None:
            return make_request(message, *context)
        headers = CIMultiDict(message.headers)
        del headers[EXPECT]
        message = message._replace(headers=CIMultiDictProxy(headers))
        if message.version < HttpVersion11:
            return make_request(message, *context)
        request = make_request(message, *context, _cls=_Expecting)
        request.expected = expected.lower()
        return request

    return make


def refuse_unknown(request: web.Request) -> None:
    """Raise `HTTPExpectationFailed` for what the route cannot do; unknown routes stay 404 or 405."""
    if not isinstance(request, _Expecting) or request.expected == _CONTINUE:
        return
    if request.match_info.http_exception is None:
        raise web.HTTPExpectationFailed


async def ask_for_body(request: web.Request) -> None:
    """Tell a client that waits for it to send the body."""
    if isinstance(request, _Expecting) and request.expected:
        request.expected = ""
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        # As aiohttp itself does: the answer has not begun yet.
        request.writer.output_size = 0
